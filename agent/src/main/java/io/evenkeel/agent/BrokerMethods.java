/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.List;
import java.util.stream.Stream;

/** Methods of the broker that more than one patch is woven into, as the supported versions know them. Stateless. */
final class BrokerMethods {
    private BrokerMethods() {}

    /** The same in each version, and not static. */
    static List<HookPoint.Method> method(String owner, String name, String descriptor) {
        return List.of(new HookPoint.Method(owner, false, name, descriptor));
    }

    /** The config is the first argument in each version and the failure channel the seventh; some others changed. */
    static List<HookPoint.Method> logManagerApply() {
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

    static List<HookPoint.Method> metadataUpdate() {
        return method(
                "kafka.server.metadata.BrokerMetadataPublisher",
                "onMetadataUpdate",
                "(Lorg/apache/kafka/image/MetadataDelta;Lorg/apache/kafka/image/MetadataImage;"
                        + "Lorg/apache/kafka/image/loader/LoaderManifest;)V");
    }

    static List<HookPoint.Method> validateConfigs() {
        return method("kafka.server.DynamicBrokerConfig", "validate", "(Ljava/util/Properties;Z)V");
    }

    static List<HookPoint.Method> configType() {
        return method("kafka.server.KafkaConfig$", "configType", "(Ljava/lang/String;)Lscala/Option;");
    }
}
