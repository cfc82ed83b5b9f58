/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.tiered.kafka.ColdReadHooks;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import net.bytebuddy.asm.Advice;

/** The advice of {@link ColdReadPoints}: each is a call through the door, {@link ColdReadHooks}. Stateless. */
final class ColdReadAdvice {
    private ColdReadAdvice() {}

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
    }

    static final class Poll {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("nioSelector") Selector selector) {
            ColdReadHooks.polls(selector);
        }
    }

    static final class SendRequest {
        /** Kafka's own code is skipped when this returns true. */
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.This Object requestChannel, @Advice.Argument(0) Object request) {
            return ColdReadHooks.holds(requestChannel, request);
        }
    }

    static final class Handle {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Argument(0) Object request) {
            ColdReadHooks.served(request);
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
