/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.Iterable;

/**
 * Where the SSD tier is woven in: as a segment's file is opened, renamed, moved and deleted. Stateless.
 *
 * <p>Each advice is one call through the door, {@link TieredSsdHooks}. Nothing is suppressed: what the door throws is
 * the broker's to handle, as if stock had thrown it.
 */
final class TieredSsdPatch {
    private static final String LOG_CONFIG_DEF = "org.apache.kafka.storage.internals.log.LogConfig$LogConfigDef";
    private static final String LOG_SEGMENT = "org.apache.kafka.storage.internals.log.LogSegment";
    private static final HookPoint.Field CHANNEL = new HookPoint.Field("channel", "Ljava/nio/channels/FileChannel;");
    private static final HookPoint.Field FILE = new HookPoint.Field("file", "Ljava/io/File;");

    private static final HookPoint.Field TOPIC_PARTITION =
            new HookPoint.Field("topicPartition", "Lorg/apache/kafka/common/TopicPartition;");

    private TieredSsdPatch() {}

    static Patch patch() {
        return new Patch(
                "tiered-ssd",
                "tiered.ssd.",
                keys -> true,
                keys -> TieredSsdHooks.overrides(keys),
                List.of(
                        topicConfigs(),
                        new HookPoint(
                                BrokerMethods.method(
                                        "kafka.server.SharedServer", "start", "(Lorg/apache/kafka/raft/Endpoints;)V"),
                                List.of(new HookPoint.Field("brokerConfig", "Lkafka/server/KafkaConfig;")),
                                LookAhead.class,
                                "begins to look at the disks, while the broker does other things"),
                        new HookPoint(
                                BrokerMethods.logManagerApply(),
                                List.of(),
                                Start.class,
                                "reads the `tiered.ssd.*` keys and checks the disks, before any log is loaded"),
                        new HookPoint(
                                logManagerShutdown(),
                                List.of(),
                                Shutdown.class,
                                "ends copy and eviction before Kafka gives the log directories free for another process"),
                        new HookPoint(
                                BrokerMethods.metadataUpdate(),
                                List.of(),
                                Metadata.class,
                                "takes over the `tiered.ssd.*` keys that were set with `kafka-configs.sh`"),
                        new HookPoint(
                                BrokerMethods.validateConfigs(),
                                List.of(),
                                Validate.class,
                                "refuses a change with `kafka-configs.sh` of a `tiered.ssd.*` key that is not right"),
                        new HookPoint(
                                BrokerMethods.configType(),
                                List.of(),
                                ConfigType.class,
                                "knows the types of the `tiered.ssd.*` keys, so that their values are not hidden when"
                                        + " they are described"),
                        new HookPoint(
                                BrokerMethods.method(
                                        "kafka.cluster.Partition",
                                        "updateAssignmentAndIsr",
                                        "(Lscala/collection/Seq;ZLscala/collection/immutable/Set;Lscala/collection/Seq;"
                                                + "Lscala/collection/Seq;"
                                                + "Lorg/apache/kafka/metadata/LeaderRecoveryState;)V"),
                                List.of(TOPIC_PARTITION),
                                Role.class,
                                "learns whether the broker leads a partition or follows, before the log is created; refuses to lead "
                                        + "with less than it once had, when others may have more"),
                        new HookPoint(
                                BrokerMethods.method("kafka.cluster.Partition", "clear", "()V"),
                                List.of(TOPIC_PARTITION),
                                Left.class,
                                "learns that the broker's replica is deleted or has failed"),
                        new HookPoint(
                                BrokerMethods.method(
                                        LOG_SEGMENT,
                                        "shouldRoll",
                                        "(Lorg/apache/kafka/storage/internals/log/RollParams;)Z"),
                                List.of(),
                                ShouldRoll.class,
                                "begins a new segment when the one in use is on the wrong device, for instance when a"
                                        + " follower has become leader"),
                        new HookPoint(
                                List.of(new HookPoint.Method(
                                        "org.apache.kafka.storage.internals.log.LogFileUtils",
                                        true,
                                        "filenamePrefixFromOffset",
                                        "(J)Ljava/lang/String;")),
                                List.of(),
                                FileNamePrefix.class,
                                "gives the same names to a segment's files, quicker: a start asks for several of each"
                                        + " segment"),
                        new HookPoint(
                                List.of(new HookPoint.Method(
                                        LOG_SEGMENT,
                                        true,
                                        "open",
                                        "(Ljava/io/File;JLorg/apache/kafka/storage/internals/log/LogConfig;"
                                                + "Lorg/apache/kafka/common/utils/Time;ZIZLjava/lang/String;)"
                                                + "Lorg/apache/kafka/storage/internals/log/LogSegment;")),
                                List.of(),
                                OpenSegment.class,
                                "notes the topic's config while a segment of it is opened"),
                        new HookPoint(
                                fileRecords(true, "openChannel", "(Ljava/io/File;ZZIZ)Ljava/nio/channels/FileChannel;"),
                                List.of(),
                                OpenChannel.class,
                                "opens a segment's file through the tier, or leaves it to Kafka"),
                        new HookPoint(
                                fileRecords(false, "renameTo", "(Ljava/io/File;)V"),
                                List.of(CHANNEL, FILE),
                                RenameTo.class,
                                "keeps copy and eviction away from a segment while Kafka renames it, and learns its name"),
                        new HookPoint(
                                fileRecords(false, "updateParentDir", "(Ljava/io/File;)V"),
                                List.of(CHANNEL, FILE),
                                UpdateParentDir.class,
                                "learns that the partition's directory was renamed"),
                        new HookPoint(
                                fileRecords(false, "deleteIfExists", "()Z"),
                                List.of(CHANNEL),
                                DeleteIfExists.class,
                                "deletes the copy on the SSD after Kafka has deleted the segment")),
                List.of());
    }

    /** What {@code kafka-topics.sh} needs, to accept our key. */
    static Patch inTopicTool() {
        return new Patch("tiered-ssd", "tiered.ssd.", keys -> true, keys -> {}, List.of(topicConfigs()), List.of());
    }

    private static HookPoint topicConfigs() {
        return new HookPoint(
                BrokerMethods.method(LOG_CONFIG_DEF, "<init>", "()V"),
                List.of(),
                TopicConfigs.class,
                "adds `tiered.ssd.follower.placement` to the topic configs, in `kafka-topics.sh`, too");
    }

    /** Moved in 4.4. */
    private static List<HookPoint.Method> logManagerShutdown() {
        return Stream.of("kafka.log.LogManager", "org.apache.kafka.storage.internals.log.LogManager")
                .map(owner -> new HookPoint.Method(owner, false, "shutdown", "(J)V"))
                .toList();
    }

    /** Moved in 4.3. */
    private static List<HookPoint.Method> fileRecords(boolean isStatic, String method, String descriptor) {
        return Stream.of(
                        "org.apache.kafka.common.record.internal.FileRecords",
                        "org.apache.kafka.common.record.FileRecords")
                .map(owner -> new HookPoint.Method(owner, isStatic, method, descriptor))
                .toList();
    }

    static final class TopicConfigs {
        @Advice.OnMethodExit
        static void exit(@Advice.This ConfigDef definition) {
            TieredSsdHooks.topicConfigs(definition);
        }
    }

    static final class LookAhead {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("brokerConfig") AbstractConfig config) throws IOException {
            TieredSsdHooks.lookAhead(config);
        }
    }

    static final class Start {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) AbstractConfig config, @Advice.Argument(6) LogDirFailureChannel failures)
                throws IOException {
            TieredSsdHooks.start(config, failures);
        }
    }

    static final class Shutdown {
        @Advice.OnMethodEnter
        static void enter() {
            TieredSsdHooks.shutdown();
        }
    }

    static final class Metadata {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(1) MetadataImage image) {
            TieredSsdHooks.metadata(image);
        }
    }

    static final class Validate {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) Properties configs, @Advice.Argument(1) boolean perBroker) {
            TieredSsdHooks.validate(configs, perBroker);
        }
    }

    static final class ConfigType {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) String key, @Advice.Return(readOnly = false) Option<ConfigDef.Type> type) {
            type = TieredSsdHooks.configType(key, type);
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
}
