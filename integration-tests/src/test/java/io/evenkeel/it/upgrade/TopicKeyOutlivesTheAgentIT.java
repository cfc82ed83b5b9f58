/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.EagerTier;
import io.evenkeel.it.KafkaVersions;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each Kafka does with a topic config of ours when the agent has gone, and its metadata still have it. */
@Tag("long")
class TopicKeyOutlivesTheAgentIT {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final String OURS = "tiered.ssd.follower.placement";
    private static final String KAFKAS = "retention.ms";
    private static final String REFUSED = "Unknown topic config name: " + OURS;
    /** Later ones leave out what they do not know as they read the metadata. */
    private static final List<String> KEEPS_UNKNOWN = List.of("4.0", "4.1");

    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, "kept");

    @RegisterExtension
    final Brokers brokers = new Brokers(config -> new ForkedBroker(runtime(), config));

    @TempDir
    Path dir = Path.of("target");

    private String version = "";

    static Stream<String> versions() throws IOException {
        return KafkaVersions.supported().stream();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void stockBrokerWorksAndTheTopicTakesConfigsAgain(String kafka) throws Exception {
        version = kafka;
        BrokerConfig config = EagerTier.on(BrokerConfig.under(dir.resolve("node"), 1, 1));
        Records records = new Records(TOPIC.name(), 1, 1000);
        Broker patched = brokers.start(config.patched());
        new Topics(patched).create(records, Map.of(OURS, "hdd"));
        records.produce(patched.clientProperties(), 3000);
        patched.stop();

        Broker stock = brokers.start(config);
        records.produce(stock.clientProperties(), 3000);
        assertThat(records.verifyAll(stock.clientProperties())).isEqualTo(Map.of(0, new Range(0, 6000)));
        try (Admin admin = Admin.create(stock.clientProperties())) {
            if (KEEPS_UNKNOWN.contains(kafka.substring(0, 3))) {
                assertThat(keys(admin)).contains(OURS);
                assertThatThrownBy(() -> alter(admin, KAFKAS, OpType.SET)).hasRootCauseMessage(REFUSED);
            } else {
                assertThat(keys(admin)).doesNotContain(OURS);
                assertThat(stock.said("Skipping unsupported config " + OURS)).isNotEmpty();
                alter(admin, KAFKAS, OpType.SET);
            }
            assertThatThrownBy(() -> alter(admin, OURS, OpType.SET)).hasRootCauseMessage(REFUSED);
            alter(admin, OURS, OpType.DELETE);
            alter(admin, KAFKAS, OpType.SET);
            // Told by the controller; the broker itself may be a moment behind.
            await().atMost(DEADLINE).until(() -> !keys(admin).contains(OURS));
        }
    }

    private static List<String> keys(Admin admin) throws Exception {
        return admin.describeConfigs(List.of(TOPIC)).all().get(30, TimeUnit.SECONDS).values().stream()
                .flatMap(config -> config.entries().stream())
                .map(ConfigEntry::name)
                .toList();
    }

    private static void alter(Admin admin, String key, OpType how) throws Exception {
        AlterConfigOp operation = new AlterConfigOp(new ConfigEntry(key, "100000000"), how);
        admin.incrementalAlterConfigs(Map.of(TOPIC, List.of(operation))).all().get(30, TimeUnit.SECONDS);
    }

    private KafkaRuntime runtime() {
        try {
            return KafkaVersions.runtime(version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
