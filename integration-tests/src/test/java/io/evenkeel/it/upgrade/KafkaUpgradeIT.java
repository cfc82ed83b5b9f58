/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
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
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Kafka changes underneath the same agent and the same disks, while segments are in each of their states. */
@Tag("long")
class KafkaUpgradeIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final String FEATURE = "metadata.version";
    private static final int MORE = 4000;

    @RegisterExtension
    final Brokers brokers = new Brokers(config -> new ForkedBroker(runtime(), config));

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("upgraded", 2, 2000);
    private String version = "";
    private long each;

    /** Kafka itself goes back until the metadata's version is raised. */
    @Test
    void everyVersionReadsWhatTheOthersWrote() throws Exception {
        BrokerConfig config =
                EagerTier.on(BrokerConfig.under(dir.resolve("node"), 1, 1)).patched();
        List<String> versions = KafkaVersions.supported();
        for (String next : versions) {
            run(config, next);
        }
        Collections.reverse(versions);
        for (String next : versions) {
            run(config, next);
        }
        Broker newest = start(config, versions.get(0));
        raiseMetadataVersion(newest);
        newest.stop();
        run(config, version);
    }

    private void run(BrokerConfig config, String kafka) throws IOException {
        Broker broker = start(config, kafka);
        if (each == 0) {
            new Topics(broker).create(records, Map.of());
        }
        verify(broker);
        records.produce(broker.clientProperties(), MORE);
        each += MORE;
        verify(broker);
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(
                                SegmentFiles.of(config).of(records.topic()).segments())
                        .extracting(SegmentFiles.Segment::state)
                        .contains(State.values()));
        verify(broker);
        broker.stop();
    }

    private Broker start(BrokerConfig config, String kafka) throws IOException {
        version = kafka;
        Broker broker = brokers.start(config);
        List<String> woven = broker.said(" woven into Kafka ");
        assertThat(woven.get(woven.size() - 1)).contains(" woven into Kafka " + kafka + " ");
        return broker;
    }

    private void verify(Broker broker) {
        Range all = new Range(0, each);
        assertThat(records.verifyAll(broker.clientProperties())).isEqualTo(Map.of(0, all, 1, all));
    }

    private static void raiseMetadataVersion(Broker broker) throws Exception {
        try (Admin admin = Admin.create(broker.clientProperties())) {
            FeatureMetadata features =
                    admin.describeFeatures().featureMetadata().get(30, TimeUnit.SECONDS);
            short before = Objects.requireNonNull(features.finalizedFeatures().get(FEATURE))
                    .maxVersionLevel();
            short newest = Objects.requireNonNull(features.supportedFeatures().get(FEATURE))
                    .maxVersion();
            assertThat(newest).isGreaterThan(before);
            admin.updateFeatures(
                            Map.of(FEATURE, new FeatureUpdate(newest, UpgradeType.UPGRADE)),
                            new UpdateFeaturesOptions())
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private KafkaRuntime runtime() {
        try {
            return KafkaVersions.runtime(version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
