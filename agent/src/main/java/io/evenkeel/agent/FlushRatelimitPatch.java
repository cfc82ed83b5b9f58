/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.flush.kafka.FlushRatelimitHooks;
import io.evenkeel.flush.kafka.PutOff;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Where flushing by rate is woven in: as a log is opened, appended to, forced, truncated, renamed and closed.
 * Stateless.
 *
 * <p>Each advice is one call through the door, {@link FlushRatelimitHooks}. Nothing is suppressed: what the door throws
 * is the broker's to handle, as if stock had thrown it.
 */
final class FlushRatelimitPatch {
    private static final String LOCAL_LOG = "org.apache.kafka.storage.internals.log.LocalLog";
    private static final String INDEX = "org.apache.kafka.storage.internals.log.AbstractIndex";
    private static final String REPLICAS = "kafka.server.ReplicaManager";
    private static final String PARTITION = "kafka.cluster.Partition";
    /** {@code UnifiedLog} was Scala's in 4.0. */
    private static final String SCALA_LOG = "kafka.log.UnifiedLog";

    private static final String JAVA_LOG = "org.apache.kafka.storage.internals.log.UnifiedLog";
    /** Where records were before 4.3, and are since. */
    private static final List<String> RECORDS = List.of(
            "Lorg/apache/kafka/common/record/internal/MemoryRecords;",
            "Lorg/apache/kafka/common/record/MemoryRecords;");

    private static final HookPoint.Field LOG = new HookPoint.Field("log", "Lscala/Option;");
    private static final HookPoint.Field FUTURE_LOG = new HookPoint.Field("futureLog", "Lscala/Option;");

    private static final HookPoint.Field INDEX_FILE = new HookPoint.Field("file", "Ljava/io/File;");

    private FlushRatelimitPatch() {}

    static Patch patch() {
        return new Patch(
                "flush-ratelimit",
                "flush.ratelimit.",
                keys -> true,
                keys -> FlushRatelimitHooks.overrides(keys),
                Stream.of(config(), logs(), appends()).flatMap(List::stream).toList(),
                List.of());
    }

    private static List<HookPoint> config() {
        return List.of(
                new HookPoint(
                        BrokerMethods.logManagerApply(),
                        List.of(),
                        Start.class,
                        "reads the `flush.ratelimit.*` keys, before any log is loaded"),
                new HookPoint(
                        BrokerMethods.metadataUpdate(),
                        List.of(),
                        Metadata.class,
                        "takes over the `flush.ratelimit.*` keys that were set with `kafka-configs.sh`"),
                new HookPoint(
                        BrokerMethods.validateConfigs(),
                        List.of(),
                        Validate.class,
                        "refuses a change with `kafka-configs.sh` of a `flush.ratelimit.*` key that is not right"),
                new HookPoint(
                        BrokerMethods.configType(),
                        List.of(),
                        ConfigType.class,
                        "knows the types of the `flush.ratelimit.*` keys, so that their values are not hidden when they are"
                                + " described"));
    }

    private static List<HookPoint> logs() {
        return List.of(
                new HookPoint(newLog(), List.of(), Opened.class, "learns that a log is there"),
                new HookPoint(
                        log("close"), List.of(), Ending.class, "ends a force of the log before Kafka closes its files"),
                new HookPoint(
                        log("delete"),
                        List.of(),
                        Ending.class,
                        "ends a force of the log before Kafka deletes its files"),
                new HookPoint(
                        Stream.of("closeHandlers", "closeQuietly")
                                .map(name -> new HookPoint.Method(LOCAL_LOG, false, name, "()V"))
                                .toList(),
                        List.of(),
                        Failed.class,
                        "learns that Kafka gives up a log of a log directory that has failed"),
                new HookPoint(
                        BrokerMethods.method(LOCAL_LOG, "renameDir", "(Ljava/lang/String;)Z"),
                        List.of(),
                        Renamed.class,
                        "learns that a log is to be deleted"),
                new HookPoint(
                        BrokerMethods.method(LOCAL_LOG, "updateRecoveryPoint", "(J)V"),
                        List.of(),
                        Forced.class,
                        "learns up to where a log is forced, whoever forced it"),
                new HookPoint(
                        BrokerMethods.method(INDEX, "flush", "()V"),
                        List.of(INDEX_FILE),
                        FlushIndex.class,
                        "forces an index without the lock that an append to it needs"),
                new HookPoint(
                        BrokerMethods.method(LOCAL_LOG, "truncateTo", "(J)Ljava/util/Collection;"),
                        List.of(),
                        Truncated.class,
                        "learns that what was at the end of a log need not be forced"),
                new HookPoint(
                        BrokerMethods.method(LOCAL_LOG, "truncateFullyAndStartAt", "(J)Ljava/util/List;"),
                        List.of(),
                        Cleared.class,
                        "learns that a log has begun anew"));
    }

    private static List<HookPoint> appends() {
        return List.of(
                new HookPoint(
                        RECORDS.stream()
                                .map(records -> new HookPoint.Method(LOCAL_LOG, false, "append", "(J" + records + ")V"))
                                .toList(),
                        List.of(),
                        Written.class,
                        "learns how many bytes were appended"),
                new HookPoint(
                        BrokerMethods.method(LOCAL_LOG, "unflushedMessages", "()J"),
                        List.of(),
                        UnflushedMessages.class,
                        "answers 0 to an append that asks whether to force, unless it forces each message"),
                new HookPoint(
                        appendToLocalLog(),
                        List.of(),
                        Request.class,
                        "holds back the answer to a request while what it has appended exceeds the bound in time"),
                new HookPoint(
                        appendRecordsToLeader(),
                        List.of(LOG),
                        Leads.class,
                        "makes an append wait that would exceed a bound, before it takes a lock"),
                new HookPoint(
                        RECORDS.stream()
                                .map(records -> new HookPoint.Method(
                                        PARTITION,
                                        false,
                                        "appendRecordsToFollowerOrFutureReplica",
                                        "(" + records + "ZI)Lscala/Option;"))
                                .toList(),
                        List.of(LOG, FUTURE_LOG),
                        Follows.class,
                        "puts off an append by a follower that would exceed a bound"));
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

    static final class Start {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) AbstractConfig config) {
            FlushRatelimitHooks.start(config);
        }
    }

    static final class Metadata {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(1) MetadataImage image) {
            FlushRatelimitHooks.metadata(image);
        }
    }

    static final class Validate {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) Properties configs, @Advice.Argument(1) boolean perBroker) {
            FlushRatelimitHooks.validate(configs, perBroker);
        }
    }

    static final class ConfigType {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) String key, @Advice.Return(readOnly = false) Option<ConfigDef.Type> type) {
            type = FlushRatelimitHooks.configType(key, type);
        }
    }

    static final class Opened {
        @Advice.OnMethodExit
        static void exit(@Advice.This Object log, @Advice.Argument(1) LocalLog localLog) {
            FlushRatelimitHooks.opened(log, localLog);
        }
    }

    static final class Ending {
        @Advice.OnMethodEnter
        static void enter(@Advice.This Object log) {
            FlushRatelimitHooks.ending(log);
        }
    }

    static final class Failed {
        @Advice.OnMethodEnter
        static void enter(@Advice.This LocalLog log) {
            FlushRatelimitHooks.failed(log);
        }
    }

    static final class Renamed {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log, @Advice.Argument(0) String name) {
            FlushRatelimitHooks.renamed(log, name);
        }
    }

    static final class Forced {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log, @Advice.Argument(0) long offset) {
            FlushRatelimitHooks.forced(log, offset);
        }
    }

    static final class FlushIndex {
        /** Kafka's own code is skipped when that is done. */
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("file") File file) throws IOException {
            return FlushRatelimitHooks.flushesIndex(file);
        }
    }

    static final class Truncated {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log) {
            FlushRatelimitHooks.truncated(log);
        }
    }

    static final class Cleared {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log) {
            FlushRatelimitHooks.cleared(log);
        }
    }

    static final class Written {
        @Advice.OnMethodEnter
        static long enter(@Advice.This LocalLog log) {
            return log.logEndOffset();
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.This LocalLog log,
                @Advice.Enter long firstOffset,
                @Advice.Argument(0) long lastOffset,
                @Advice.Argument(1) Object records) {
            FlushRatelimitHooks.written(log, firstOffset, lastOffset, records);
        }
    }

    static final class UnflushedMessages {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log, @Advice.Return(readOnly = false) long messages) {
            messages = FlushRatelimitHooks.unflushedMessages(log, messages);
        }
    }

    static final class Request {
        @Advice.OnMethodEnter
        static void enter() {
            FlushRatelimitHooks.requestBegins();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Argument(1) AppendOrigin origin, @Advice.Thrown @Nullable Throwable failure) {
            FlushRatelimitHooks.requestEnds(origin, failure);
        }
    }

    static final class Leads {
        @Advice.OnMethodEnter
        static @Nullable Object enter(@Advice.FieldValue("log") Option<?> log, @Advice.Argument(0) Object records) {
            return FlushRatelimitHooks.leads(log, records);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter @Nullable Object admission) {
            FlushRatelimitHooks.appended(admission);
        }
    }

    static final class Follows {
        /** Kafka's own code is skipped when the append is put off. */
        @Advice.OnMethodEnter(skipOn = PutOff.class)
        static @Nullable Object enter(
                @Advice.FieldValue("log") Option<?> log,
                @Advice.FieldValue("futureLog") Option<?> futureLog,
                @Advice.Argument(0) Object records,
                @Advice.Argument(1) boolean isFuture) {
            return FlushRatelimitHooks.follows(log, futureLog, isFuture, records);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.Enter @Nullable Object admission,
                @Advice.Return(readOnly = false) @Nullable Option<?> appended) {
            appended = FlushRatelimitHooks.followed(admission, appended);
        }
    }
}
