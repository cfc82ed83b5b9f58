/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.tiered.kafka.ColdReadHooks;
import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterable;

/**
 * The advice of {@link TieredSsdPatch}. Stateless.
 *
 * <p>Each advice is one call through a door, {@link TieredSsdHooks} or {@link ColdReadHooks}. Nothing is suppressed: an
 * exception that a door throws reaches the broker as if stock had thrown it.
 */
final class TierAdvice {
    private TierAdvice() {}

    static final class TopicConfigs {
        @Advice.OnMethodExit
        static void exit(@Advice.This ConfigDef definition) {
            TieredSsdHooks.topicConfigs(definition);
        }
    }

    static final class ScanEarly {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("brokerConfig") AbstractConfig config) throws IOException {
            TieredSsdHooks.scanEarly(config);
        }
    }

    static final class Shutdown {
        @Advice.OnMethodEnter
        static void enter() {
            TieredSsdHooks.shutdown();
        }
    }

    static final class Role {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.FieldValue("topicPartition") TopicPartition partition,
                @Advice.Argument(0) Iterable<?> replicas,
                @Advice.Argument(1) boolean leader,
                @Advice.Argument(2) Iterable<?> inSync) {
            TieredSsdHooks.role(partition, leader, replicas, inSync);
        }
    }

    static final class Follows {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.FieldValue("topicPartition") TopicPartition partition,
                @Advice.FieldValue("localBrokerId") int brokerId,
                @Advice.Argument(0) Object registration) {
            TieredSsdHooks.follows(partition, brokerId, registration);
        }
    }

    static final class Left {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("topicPartition") TopicPartition partition) {
            TieredSsdHooks.left(partition);
        }
    }

    static final class ShouldRoll {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This LogSegment active,
                @Advice.Argument(0) RollParams append,
                @Advice.Return(readOnly = false) boolean rolls) {
            rolls = TieredSsdHooks.shouldRoll(active, append, rolls);
        }
    }

    static final class Append {
        @Advice.OnMethodEnter
        static void enter(@Advice.This LocalLog log, @Advice.Argument(1) Object records) throws IOException {
            TieredSsdHooks.appending(log, records);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.This LocalLog log, @Advice.Thrown(readOnly = false) @Nullable Throwable thrown) {
            thrown = TieredSsdHooks.appended(log, thrown);
        }
    }

    static final class Seal {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.This LogSegment segment, @Advice.Thrown(readOnly = false) @Nullable Throwable thrown)
                throws IOException {
            thrown = TieredSsdHooks.sealed(segment, thrown);
        }
    }

    static final class FileNamePrefix {
        /** Kafka's own code is skipped when this returns a name. */
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static @Nullable String enter(@Advice.Argument(0) long baseOffset) {
            return TieredSsdHooks.fileNamePrefix(baseOffset);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Enter @Nullable String ours, @Advice.Return(readOnly = false) String name) {
            name = ours != null ? ours : name;
        }
    }

    static final class OpenSegment {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(2) AbstractConfig config) {
            TieredSsdHooks.opening(config);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            TieredSsdHooks.opened();
        }
    }

    static final class OpenChannel {
        /** Kafka's own code is skipped when this returns a channel. */
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static @Nullable FileChannel enter(
                @Advice.Argument(0) File file,
                @Advice.Argument(1) boolean mutable,
                @Advice.Argument(2) boolean fileAlreadyExists,
                @Advice.Argument(3) int initFileSize,
                @Advice.Argument(4) boolean preallocate)
                throws IOException {
            return TieredSsdHooks.open(file, mutable, fileAlreadyExists, initFileSize, preallocate);
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Enter @Nullable FileChannel ours,
                @Advice.Return(readOnly = false) @Nullable FileChannel channel) {
            channel = ours != null ? ours : channel;
        }
    }

    static final class RenameTo {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("channel") FileChannel channel) {
            TieredSsdHooks.renaming(channel);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.FieldValue("channel") FileChannel channel, @Advice.FieldValue("file") File file) {
            TieredSsdHooks.renamed(channel, file);
        }
    }

    static final class UpdateParentDir {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("channel") FileChannel channel, @Advice.FieldValue("file") File file) {
            TieredSsdHooks.moved(channel, file);
        }
    }

    static final class DeleteIfExists {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("channel") FileChannel channel) throws IOException {
            TieredSsdHooks.deleted(channel);
        }
    }

    static final class SendPlaintext {
        /** Kafka's own code is skipped when this returns false. */
        @Advice.OnMethodEnter(skipOn = Advice.OnDefaultValue.class)
        static boolean enter(
                @Advice.FieldValue("key") SelectionKey key,
                @Advice.Argument(0) FileChannel channel,
                @Advice.Argument(1) long position,
                @Advice.Argument(value = 2, readOnly = false) long count) {
            count = ColdReadHooks.sendable(key, channel, position, count);
            return count != ColdReadHooks.WAITS;
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.FieldValue("key") SelectionKey key,
                @Advice.Argument(0) FileChannel channel,
                @Advice.Return long sent) {
            ColdReadHooks.sent(key, channel, sent);
        }
    }

    static final class SendEncrypted {
        /** Kafka's own code is skipped when this returns false. */
        @Advice.OnMethodEnter(skipOn = Advice.OnDefaultValue.class)
        static boolean enter(
                @Advice.FieldValue("key") SelectionKey key,
                @Advice.FieldValue("netWriteBuffer") ByteBuffer encrypted,
                @Advice.Argument(0) FileChannel channel,
                @Advice.Argument(1) long position,
                @Advice.Argument(value = 2, readOnly = false) long count) {
            count = ColdReadHooks.sendable(key, channel, position, count, encrypted);
            return count != ColdReadHooks.WAITS;
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.FieldValue("key") SelectionKey key,
                @Advice.Argument(0) FileChannel channel,
                @Advice.Return long sent) {
            ColdReadHooks.sent(key, channel, sent);
        }
    }

    static final class Poll {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("nioSelector") Selector selector) {
            ColdReadHooks.polls(selector);
        }
    }

    static final class Handle {
        /** Kafka's own code is skipped when this returns true. */
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.FieldValue("requestChannel") Object requestChannel, @Advice.Argument(0) Object request) {
            return ColdReadHooks.holds(requestChannel, request);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter boolean isHeld, @Advice.Argument(0) Object request) {
            ColdReadHooks.handled(request, isHeld);
        }
    }

    static final class Headers {
        @Advice.OnMethodEnter
        static void enter() {
            ColdReadHooks.headersBegin();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            ColdReadHooks.headersEnd();
        }
    }
}
