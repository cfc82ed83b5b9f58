/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where the config of all patches is woven in. Stateless.
 *
 * <p>Each patch with config lists these hook points among its own, so a mismatch of one of them refuses each such
 * patch. They are woven once, whatever the number of patches.
 */
final class ConfigPoints {
    private ConfigPoints() {}

    /**
     * @param keys of the patch, for the page about hook points
     * @param start what the patch does when the broker starts, for the same page
     */
    static List<HookPoint> of(String keys, String start) {
        return List.of(
                new HookPoint(logManagerApply(), ConfigAdvice.Start.class, start),
                new HookPoint(
                        metadataUpdate(),
                        ConfigAdvice.Metadata.class,
                        "takes over the " + keys + " keys that were set with `kafka-configs.sh`"),
                new HookPoint(
                        validateConfigs(),
                        ConfigAdvice.Validate.class,
                        "refuses a wrong " + keys + " key in `kafka-configs.sh`"),
                new HookPoint(
                        configType(),
                        ConfigAdvice.ConfigType.class,
                        "knows the types of the " + keys + " keys, so that `kafka-configs.sh --describe` shows their"
                                + " values"),
                new HookPoint(
                        describeConfigs(),
                        ConfigAdvice.Describe.class,
                        "adds the " + keys + " keys that are not set to what `kafka-configs.sh --describe --all`"
                                + " shows, with their defaults and documentation"));
    }

    /** The config is the first argument in each version and the failure channel the seventh; some others changed. */
    private static List<HookPoint.Method> logManagerApply() {
        String theRest = "Lorg/apache/kafka/server/util/Scheduler;Lorg/apache/kafka/common/utils/Time;"
                + "Lorg/apache/kafka/storage/log/metrics/BrokerTopicStats;"
                + "Lorg/apache/kafka/storage/internals/log/LogDirFailureChannel;";
        return Stream.of(
                        "Lscala/collection/Seq;Lkafka/server/metadata/ConfigRepository;" + theRest
                                + "Z)Lkafka/log/LogManager;",
                        "Lscala/collection/Seq;Lorg/apache/kafka/metadata/ConfigRepository;" + theRest
                                + ")Lkafka/log/LogManager;",
                        "Ljava/util/Set;Lorg/apache/kafka/metadata/ConfigRepository;" + theRest
                                + ")Lorg/apache/kafka/storage/internals/log/LogManager;")
                .map(descriptor -> new HookPoint.Method(
                        "kafka.log.LogManager$", false, "apply", "(Lkafka/server/KafkaConfig;" + descriptor))
                .toList();
    }

    private static List<HookPoint.Method> metadataUpdate() {
        return HookPoint.method(
                "kafka.server.metadata.BrokerMetadataPublisher",
                "onMetadataUpdate",
                "(Lorg/apache/kafka/image/MetadataDelta;Lorg/apache/kafka/image/MetadataImage;"
                        + "Lorg/apache/kafka/image/loader/LoaderManifest;)V");
    }

    private static List<HookPoint.Method> validateConfigs() {
        return HookPoint.method("kafka.server.DynamicBrokerConfig", "validate", "(Ljava/util/Properties;Z)V");
    }

    private static List<HookPoint.Method> describeConfigs() {
        return HookPoint.method(
                "kafka.server.ConfigHelper",
                "describeConfigs",
                "(Lscala/collection/immutable/List;ZZ)Lscala/collection/immutable/List;");
    }

    private static List<HookPoint.Method> configType() {
        return HookPoint.method("kafka.server.KafkaConfig$", "configType", "(Ljava/lang/String;)Lscala/Option;");
    }
}
