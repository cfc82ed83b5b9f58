/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static io.evenkeel.agent.HookPoint.method;

import io.evenkeel.tiered.kafka.ConfiguredTier;
import java.util.List;
import java.util.stream.Stream;

/** Where the SSD tier is woven in: as a segment's file is opened, renamed, moved and deleted. Stateless. */
final class TieredSsdPatch {
    private static final String LOCAL_LOG = "org.apache.kafka.storage.internals.log.LocalLog";
    private static final String LOG_CONFIG_DEF = "org.apache.kafka.storage.internals.log.LogConfig$LogConfigDef";
    private static final String LOG_FILES = "org.apache.kafka.storage.internals.log.LogFileUtils";
    private static final String LOG_SEGMENT = "org.apache.kafka.storage.internals.log.LogSegment";
    private static final String PARTITION = "kafka.cluster.Partition";

    private static final String NETWORK = "org.apache.kafka.common.network.";
    private static final String TRANSFER = "(Ljava/nio/channels/FileChannel;JJ)J";

    private static final HookPoint.Field KEY = new HookPoint.Field("key", "Ljava/nio/channels/SelectionKey;");
    private static final HookPoint.Field CHANNEL = new HookPoint.Field("channel", "Ljava/nio/channels/FileChannel;");
    private static final HookPoint.Field FILE = new HookPoint.Field("file", "Ljava/io/File;");
    private static final HookPoint.Field BROKER_CONFIG =
            new HookPoint.Field("brokerConfig", "Lkafka/server/KafkaConfig;");
    private static final HookPoint.Field TOPIC_PARTITION =
            new HookPoint.Field("topicPartition", "Lorg/apache/kafka/common/TopicPartition;");

    private static final HookPoint.Field BROKER_ID = new HookPoint.Field("localBrokerId", "I");

    private TieredSsdPatch() {}

    static Patch patch() {
        return new Patch(
                "tiered-ssd",
                "tiered.ssd.",
                keys -> true,
                ConfiguredTier.class,
                Stream.of(start(), config(), shutdown(), partitions(), segments(), files(), coldReads())
                        .flatMap(List::stream)
                        .toList(),
                List.of());
    }

    /** The part of the patch that makes {@code kafka-topics.sh} accept the tier's topic config. */
    static Patch inTopicTool() {
        return new Patch("tiered-ssd", "tiered.ssd.", keys -> true, null, List.of(topicConfigs()), List.of());
    }

    private static List<HookPoint> start() {
        return List.of(
                topicConfigs(),
                new HookPoint(
                        method("kafka.server.SharedServer", "start", "(Lorg/apache/kafka/raft/Endpoints;)V"),
                        TierAdvice.ScanEarly.class,
                        "begins to scan the disks while the broker starts its other parts",
                        BROKER_CONFIG));
    }

    private static HookPoint topicConfigs() {
        return new HookPoint(
                method(LOG_CONFIG_DEF, "<init>", "()V"),
                TierAdvice.TopicConfigs.class,
                "adds `tiered.ssd.follower.placement` to the topic configs, also in `kafka-topics.sh`");
    }

    private static List<HookPoint> config() {
        return ConfigPoints.of(
                "`tiered.ssd.*`", "reads the `tiered.ssd.*` keys and checks the disks, before any log is loaded");
    }

    /** {@code LogManager} moved in 4.4. */
    private static List<HookPoint> shutdown() {
        return List.of(new HookPoint(
                Stream.of("kafka.log.LogManager", "org.apache.kafka.storage.internals.log.LogManager")
                        .map(owner -> new HookPoint.Method(owner, false, "shutdown", "(J)V"))
                        .toList(),
                TierAdvice.Shutdown.class,
                "ends copy and eviction before Kafka unlocks the log directories for another process"));
    }

    private static List<HookPoint> partitions() {
        return List.of(
                new HookPoint(
                        method(
                                PARTITION,
                                "updateAssignmentAndIsr",
                                "(Lscala/collection/Seq;ZLscala/collection/immutable/Set;Lscala/collection/Seq;"
                                        + "Lscala/collection/Seq;Lorg/apache/kafka/metadata/LeaderRecoveryState;)V"),
                        TierAdvice.Role.class,
                        "learns whether the broker leads a partition or follows, before the log is created; refuses to"
                                + " lead a partition whose tail this broker has lost, when other replicas may have it",
                        TOPIC_PARTITION),
                new HookPoint(
                        makeFollower(),
                        TierAdvice.Follows.class,
                        "learns whether a replica that follows is in sync: one that catches up stays off the SSD",
                        TOPIC_PARTITION,
                        BROKER_ID),
                new HookPoint(
                        method(PARTITION, "clear", "()V"),
                        TierAdvice.Left.class,
                        "learns that the broker's replica is deleted or has failed",
                        TOPIC_PARTITION));
    }

    /** It takes another class since 4.2. */
    private static List<HookPoint.Method> makeFollower() {
        String rest = "Lorg/apache/kafka/storage/internals/checkpoint/OffsetCheckpoints;Lscala/Option;Lscala/Option;)Z";
        return Stream.of(
                        "(Lorg/apache/kafka/metadata/PartitionRegistration;Z",
                        "(Lorg/apache/kafka/common/requests/LeaderAndIsrRequest$PartitionState;")
                .map(first -> new HookPoint.Method(PARTITION, false, "makeFollower", first + rest))
                .toList();
    }

    /** {@code MemoryRecords} moved in 4.3. */
    private static List<HookPoint.Method> append() {
        return Stream.of("record/internal/MemoryRecords", "record/MemoryRecords")
                .map(records -> new HookPoint.Method(
                        LOCAL_LOG, false, "append", "(JLorg/apache/kafka/common/" + records + ";)V"))
                .toList();
    }

    private static List<HookPoint> segments() {
        return List.of(
                new HookPoint(
                        method(LOG_SEGMENT, "shouldRoll", "(Lorg/apache/kafka/storage/internals/log/RollParams;)Z"),
                        TierAdvice.ShouldRoll.class,
                        "rolls the log when its active segment is on the wrong device, for instance when a follower has"
                                + " become leader"),
                new HookPoint(
                        append(),
                        TierAdvice.Append.class,
                        "makes sure that the indexes on the HDD can be written before the records go to the SSD, and"
                                + " makes an append fail as any other storage error when they cannot"),
                new HookPoint(
                        method(LOG_SEGMENT, "onBecomeInactiveSegment", "()V"),
                        TierAdvice.Seal.class,
                        "does the same for the last entry of an index"),
                new HookPoint(
                        List.of(new HookPoint.Method(
                                LOG_FILES, true, "filenamePrefixFromOffset", "(J)Ljava/lang/String;")),
                        TierAdvice.FileNamePrefix.class,
                        "gives the same names to a segment's files, but faster: a start asks for several names of each"
                                + " segment"),
                new HookPoint(
                        List.of(new HookPoint.Method(
                                LOG_SEGMENT,
                                true,
                                "open",
                                "(Ljava/io/File;JLorg/apache/kafka/storage/internals/log/LogConfig;"
                                        + "Lorg/apache/kafka/common/utils/Time;ZIZLjava/lang/String;)"
                                        + "Lorg/apache/kafka/storage/internals/log/LogSegment;")),
                        TierAdvice.OpenSegment.class,
                        "notes the topic's config while a segment of it is opened"));
    }

    private static List<HookPoint> files() {
        return List.of(
                new HookPoint(
                        fileRecords(true, "openChannel", "(Ljava/io/File;ZZIZ)Ljava/nio/channels/FileChannel;"),
                        TierAdvice.OpenChannel.class,
                        "opens a segment's file through the tier, or leaves it to Kafka"),
                new HookPoint(
                        fileRecords(false, "renameTo", "(Ljava/io/File;)V"),
                        TierAdvice.RenameTo.class,
                        "keeps copy and eviction away from a segment while Kafka renames it, and learns its name",
                        CHANNEL,
                        FILE),
                new HookPoint(
                        fileRecords(false, "updateParentDir", "(Ljava/io/File;)V"),
                        TierAdvice.UpdateParentDir.class,
                        "learns that the partition's directory was renamed",
                        CHANNEL,
                        FILE),
                new HookPoint(
                        fileRecords(false, "deleteIfExists", "()Z"),
                        TierAdvice.DeleteIfExists.class,
                        "deletes the copy on the SSD after Kafka has deleted the segment",
                        CHANNEL));
    }

    /** {@code FileRecords} moved in 4.3. */
    private static List<HookPoint.Method> fileRecords(boolean isStatic, String method, String descriptor) {
        return Stream.of(
                        "org.apache.kafka.common.record.internal.FileRecords",
                        "org.apache.kafka.common.record.FileRecords")
                .map(owner -> new HookPoint.Method(owner, isStatic, method, descriptor))
                .toList();
    }

    private static List<HookPoint> coldReads() {
        return List.of(
                new HookPoint(
                        method(NETWORK + "PlaintextTransportLayer", "transferFrom", TRANSFER),
                        TierAdvice.SendPlaintext.class,
                        "puts a response aside whose bytes have to be read from a disk, so that its network thread can"
                                + " serve other clients meanwhile; counts what such clients get",
                        KEY),
                new HookPoint(
                        method(NETWORK + "SslTransportLayer", "transferFrom", TRANSFER),
                        TierAdvice.SendEncrypted.class,
                        "does the same on encrypted connections",
                        KEY,
                        new HookPoint.Field("netWriteBuffer", "Ljava/nio/ByteBuffer;")),
                new HookPoint(
                        method(NETWORK + "Selector", "poll", "(J)V"),
                        TierAdvice.Poll.class,
                        "takes up responses whose bytes have been read, a few at a time",
                        new HookPoint.Field("nioSelector", "Ljava/nio/channels/Selector;")),
                new HookPoint(
                        method(
                                LOG_SEGMENT,
                                "read",
                                "(JILjava/util/Optional;Z)Lorg/apache/kafka/storage/internals/log/FetchDataInfo;"),
                        TierAdvice.Headers.class,
                        "lets a fetch find its position in what is read for its response anyway"),
                new HookPoint(
                        findOffsetByTimestamp(), TierAdvice.Headers.class, "does the same for a lookup by timestamp"),
                new HookPoint(
                        handle(),
                        TierAdvice.Handle.class,
                        "holds a fetch that may need an HDD while half of the request handlers serve such fetches,"
                                + " and hands the next one over",
                        new HookPoint.Field("requestChannel", "Lkafka/network/RequestChannel;")));
    }

    /** It takes one more argument since 4.4. */
    private static List<HookPoint.Method> findOffsetByTimestamp() {
        return Stream.of("(JJ)Ljava/util/Optional;", "(JJI)Ljava/util/Optional;")
                .map(descriptor -> new HookPoint.Method(LOG_SEGMENT, false, "findOffsetByTimestamp", descriptor))
                .toList();
    }

    /** {@code Request} moved in 4.4. */
    private static List<HookPoint.Method> handle() {
        return Stream.of("kafka/network/RequestChannel$Request", "org/apache/kafka/network/Request")
                .map(request -> "(L" + request + ";Lorg/apache/kafka/server/common/RequestLocal;)V")
                .map(descriptor -> new HookPoint.Method("kafka.server.KafkaApis", false, "handle", descriptor))
                .toList();
    }
}
