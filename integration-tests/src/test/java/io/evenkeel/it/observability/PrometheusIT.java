/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkeel.it.Repeated;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A patched broker with the Prometheus JMX exporter as another agent, and a Prometheus, with the files of
 * {@code observability/}. The broker's SSD is full, and a consumer reads from the HDD.
 */
@Tag("long")
@Timeout(180)
class PrometheusIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int SEGMENT_BYTES = 1 << 20;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    /** Its first segment gets to the SSD and does not fill up. */
    private final Records quiet = new Records("quiet", 1, 100);

    private final Records live = new Records("live", 1, 1000);
    private final Records cold = new Records("cold", 1, 4000);

    @Test
    void alertsFireAndEveryQueryHasAnAnswer() throws Exception {
        int exporterPort = BrokerConfig.freePort();
        BrokerConfig config = config(exporterPort);
        Broker broker = brokers.start(config);
        Properties client = broker.clientProperties();
        Topics topics = new Topics(broker);
        topics.create(quiet, Map.of());
        topics.create(live, Map.of());
        topics.create(cold, Map.of());
        quiet.produce(client, 1);
        cold.produce(client, 1000);
        try (Prometheus prometheus = Prometheus.start(dir.resolve("prometheus"), exporterPort)) {
            try (RecordWriter slow = new RecordWriter(quiet, client);
                    RecordWriter fast = new RecordWriter(live, client);
                    Repeated appends = new Repeated("appends", 20, () -> append(slow, fast));
                    Repeated laggard = new Repeated("laggard", 20, () -> readFromDisk(config, client))) {
                awaitAlert(prometheus, "EvenkeelSsdFull", "firing");
                await().atMost(DEADLINE)
                        .untilAsserted(() -> assertThat(prometheus.names()).containsAll(Observability.exported()));
                assertEveryQueryHasAnAnswer(prometheus);
                appends.throwIfFailed();
                laggard.throwIfFailed();
            }
            broker.stop();
            brokers.start(config.stock());
            awaitAlert(prometheus, "EvenkeelTierGone", "pending");
        }
    }

    private BrokerConfig config(int exporterPort) {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1);
        List<String> flags = new ArrayList<>(config.jvmFlags());
        flags.add("-javaagent:%s=%d:%s"
                .formatted(
                        System.getProperty("jmx.exporter.jar"),
                        exporterPort,
                        Observability.DIR.resolve("jmx-exporter.yaml")));
        return config.withJvmFlags(flags)
                .patched()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.flush.interval.messages", 1000)
                .with("flush.ratelimit.max.unflushed.ms", 2000)
                .with("tiered.ssd.capacity.bytes", 8 * SEGMENT_BYTES)
                .with("tiered.ssd.excluded.topics", cold.topic())
                // so slow that no copy is finished and nothing can be evicted
                .with("tiered.ssd.copy.bytes.per.second", 1)
                .with("tiered.ssd.copy.min.bytes.per.second", 1);
    }

    private static void append(RecordWriter slow, RecordWriter fast) {
        slow.send(0);
        for (int i = 0; i < 50; i++) {
            fast.send(0);
        }
        slow.flush();
        fast.flush();
    }

    private void readFromDisk(BrokerConfig config, Properties client) throws IOException {
        PageCache.drop(SegmentFiles.of(config).of(cold.topic()).segments());
        cold.verifyAll(client);
    }

    private static void awaitAlert(Prometheus prometheus, String alert, String state) {
        String firing = "ALERTS{alertname=\"%s\", alertstate=\"%s\"}".formatted(alert, state);
        await().atMost(DEADLINE)
                .untilAsserted(
                        () -> assertThat(prometheus.values(firing)).as(firing).isNotEmpty());
    }

    private static void assertEveryQueryHasAnAnswer(Prometheus prometheus) throws IOException {
        for (JsonNode panel : Observability.panels()) {
            for (JsonNode target : Observability.list(panel.get("targets"))) {
                String query = Observability.text(target, "expr")
                        .replace("$__rate_interval", "5s")
                        .replace("$instance", ".+");
                await().atMost(DEADLINE)
                        .untilAsserted(() -> assertThat(prometheus.values(query))
                                .as(query)
                                .isNotEmpty()
                                .allMatch(value -> Double.isFinite(value)));
            }
        }
    }
}
