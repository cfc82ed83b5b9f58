/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static io.evenkeel.agent.HookPoint.method;

import io.evenkeel.flush.kafka.ConfiguredFlush;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where flushing by rate is woven in: as a log is opened, appended to, flushed, truncated, renamed and closed.
 * Stateless.
 */
final class FlushRatelimitPatch {
    private static final String LOCAL_LOG = "org.apache.kafka.storage.internals.log.LocalLog";
    private static final String INDEX = "org.apache.kafka.storage.internals.log.AbstractIndex";
    private static final String SEGMENT = "org.apache.kafka.storage.internals.log.LogSegment";
    private static final String REPLICAS = "kafka.server.ReplicaManager";
    private static final String PARTITION = "kafka.cluster.Partition";
    /** {@code UnifiedLog} was a Scala class in 4.0. */
    private static final String SCALA_LOG = "kafka.log.UnifiedLog";

    private static final String JAVA_LOG = "org.apache.kafka.storage.internals.log.UnifiedLog";
    /** {@code MemoryRecords} moved in 4.3. */
    private static final List<String> RECORDS = List.of(
            "Lorg/apache/kafka/common/record/internal/MemoryRecords;",
            "Lorg/apache/kafka/common/record/MemoryRecords;");

    private static final HookPoint.Field LOG = new HookPoint.Field("log", "Lscala/Option;");
    private static final HookPoint.Field INDEX_FILE = new HookPoint.Field("file", "Ljava/io/File;");

    private FlushRatelimitPatch() {}

    static Patch patch() {
        return new Patch(
                "flush-ratelimit",
                "flush.ratelimit.",
                keys -> true,
                ConfiguredFlush.class,
                Stream.of(config(), lives(), flushes(), truncations(), appends(), requests())
                        .flatMap(List::stream)
                        .toList(),
                List.of());
    }

    private static List<HookPoint> config() {
        return ConfigPoints.of("`flush.ratelimit.*`", "reads the `flush.ratelimit.*` keys, before any log is loaded");
    }

    private static List<HookPoint> lives() {
        return List.of(
                new HookPoint(newLog(), FlushAdvice.Opened.class, "learns that Kafka has opened a log"),
                new HookPoint(
                        log("close"),
                        FlushAdvice.Ending.class,
                        "ends a flush of the log before Kafka closes its files"),
                new HookPoint(
                        log("delete"),
                        FlushAdvice.Ending.class,
                        "ends a flush of the log before Kafka deletes its files"),
                new HookPoint(
                        Stream.of("closeHandlers", "closeQuietly")
                                .map(name -> new HookPoint.Method(LOCAL_LOG, false, name, "()V"))
                                .toList(),
                        FlushAdvice.Failed.class,
                        "learns that Kafka closes a log because its log directory has failed"),
                new HookPoint(
                        method(LOCAL_LOG, "renameDir", "(Ljava/lang/String;)Z"),
                        FlushAdvice.Renamed.class,
                        "learns that Kafka is about to delete a log"));
    }

    private static List<HookPoint> flushes() {
        return List.of(
                new HookPoint(
                        method(LOCAL_LOG, "updateRecoveryPoint", "(J)V"),
                        FlushAdvice.Flushed.class,
                        "learns up to which offset a log is flushed, also when Kafka has flushed it"),
                new HookPoint(
                        method(INDEX, "flush", "()V"),
                        FlushAdvice.FlushIndex.class,
                        "flushes an index without the lock that an append to it needs",
                        INDEX_FILE),
                new HookPoint(
                        method(SEGMENT, "flush", "()V"),
                        FlushAdvice.FlushSegment.class,
                        "lets a flush by rate pass over a segment that Kafka has just deleted"));
    }

    private static List<HookPoint> truncations() {
        return List.of(
                new HookPoint(
                        method(LOCAL_LOG, "truncateTo", "(J)Ljava/util/Collection;"),
                        FlushAdvice.Truncated.class,
                        "learns that the truncated end of a log need not be flushed"),
                new HookPoint(
                        method(LOCAL_LOG, "truncateFullyAndStartAt", "(J)Ljava/util/List;"),
                        FlushAdvice.Cleared.class,
                        "learns that a log is empty and starts at another offset"));
    }

    private static List<HookPoint> appends() {
        return List.of(
                new HookPoint(
                        RECORDS.stream()
                                .map(records -> new HookPoint.Method(LOCAL_LOG, false, "append", "(J" + records + ")V"))
                                .toList(),
                        FlushAdvice.Written.class,
                        "learns how many bytes were appended"),
                new HookPoint(
                        method(LOCAL_LOG, "unflushedMessages", "()J"),
                        FlushAdvice.UnflushedMessages.class,
                        "answers 0 when an append asks whether to flush, unless the interval is below 1,000 messages"));
    }

    private static List<HookPoint> requests() {
        return List.of(
                new HookPoint(
                        appendToLocalLog(),
                        FlushAdvice.Request.class,
                        "learns that a request begins, and whether a client has sent it"),
                new HookPoint(
                        appendRecordsToLeader(),
                        FlushAdvice.Leads.class,
                        "delays a client's append that would exceed a limit, for a moment and before it takes a lock",
                        LOG));
    }

    private static List<HookPoint.Method> log(String name) {
        return Stream.of(JAVA_LOG, SCALA_LOG)
                .map(owner -> new HookPoint.Method(owner, false, name, "()V"))
                .toList();
    }

    /** The second argument is the same in each version. */
    private static List<HookPoint.Method> newLog() {
        String begin = "(JLorg/apache/kafka/storage/internals/log/LocalLog;"
                + "Lorg/apache/kafka/storage/log/metrics/BrokerTopicStats;I"
                + "Lorg/apache/kafka/storage/internals/epoch/LeaderEpochFileCache;"
                + "Lorg/apache/kafka/storage/internals/log/ProducerStateManager;";
        String end = "Lorg/apache/kafka/storage/internals/log/LogOffsetsListener;)V";
        return List.of(
                new HookPoint.Method(JAVA_LOG, false, "<init>", begin + "Ljava/util/Optional;Z" + end),
                new HookPoint.Method(SCALA_LOG, false, "<init>", begin + "Lscala/Option;ZZ" + end));
    }

    private static List<HookPoint.Method> appendToLocalLog() {
        return Stream.of("S", "")
                .map(transactionVersion -> new HookPoint.Method(
                        REPLICAS,
                        false,
                        "appendToLocalLog",
                        "(ZLorg/apache/kafka/storage/internals/log/AppendOrigin;Lscala/collection/Map;S"
                                + "Lorg/apache/kafka/server/common/RequestLocal;Lscala/collection/Map;"
                                + transactionVersion + ")Lscala/collection/Map;"))
                .toList();
    }

    /** The records are the first argument in each version. */
    private static List<HookPoint.Method> appendRecordsToLeader() {
        return RECORDS.stream()
                .flatMap(records -> Stream.of("S", "")
                        .map(transactionVersion -> new HookPoint.Method(
                                PARTITION,
                                false,
                                "appendRecordsToLeader",
                                "(" + records + "Lorg/apache/kafka/storage/internals/log/AppendOrigin;I"
                                        + "Lorg/apache/kafka/server/common/RequestLocal;"
                                        + "Lorg/apache/kafka/storage/internals/log/VerificationGuard;"
                                        + transactionVersion
                                        + ")Lorg/apache/kafka/storage/internals/log/LogAppendInfo;")))
                .toList();
    }
}
