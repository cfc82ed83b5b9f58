/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A tier in the shadow beside a tier that is on and a stock broker, with the same traffic. */
@Tag("long")
@Timeout(600)
class ShadowIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long CAPACITY_BYTES = 16 << 20;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("orders", 2, 1000);

    @Test
    void theShadowForetellsTheHitRatioAndLeavesTheDiskToStock() throws Exception {
        BrokerConfig real = config("real", 1).patched();
        double did;
        Broker broker = brokers.start(real);
        try (Gauges gauges = new Gauges(broker)) {
            traffic(
                    broker,
                    () -> await().atMost(DEADLINE)
                            .until(() -> gauges.tier("CopyLagSegments") == 0
                                    && gauges.tier("SsdUsedBytes") < CAPACITY_BYTES * 9 / 10));
            did = ratio(gauges, "");
        }
        broker.stop();

        BrokerConfig imagined =
                config("shadow", 1).with("tiered.ssd.mode", "shadow").patched();
        Broker shadow = brokers.start(imagined);
        assertThat(shadow.said("The SSD tier is in the shadow, and moves nothing"))
                .hasSize(1);
        try (Gauges gauges = new Gauges(shadow)) {
            traffic(
                    shadow,
                    () -> await().atMost(DEADLINE).until(() -> gauges.tier("ShadowBytes") <= CAPACITY_BYTES * 9 / 10));
            double would = ratio(gauges, "Shadow");
            System.out.printf("hit ratio: the tier %.3f, its shadow %.3f%n", did, would);
            assertThat(would).isCloseTo(did, within(0.05)).isBetween(0.1, 0.9);
            assertThat(gauges.tier("ShadowEvictedSegments")).isPositive();
            assertThat(gauges.tier("CopiedSegments") + gauges.tier("SegmentsOnlyCache"))
                    .isZero();
        }
        shadow.stop();

        BrokerConfig stock = config("stock", 0).stock();
        Broker plain = brokers.start(stock);
        traffic(plain, () -> {});
        plain.stop();
        assertThat(SegmentFiles.of(imagined).strays()).isEmpty();
        assertThat(names(imagined.logDirs().get(0)))
                .isEqualTo(names(stock.logDirs().get(0)));
        assertThat(names(imagined.ssdDirs().get(0))).isEmpty();
    }

    private BrokerConfig config(String name, int ssds) {
        BrokerConfig config = BrokerConfig.under(dir.resolve(name), 1, ssds).with("log.segment.bytes", 1 << 20);
        return ssds == 0
                ? config
                : config.with("tiered.ssd.capacity.bytes", CAPACITY_BYTES).with("tiered.ssd.copy.interval.ms", 100);
    }

    /** Writes twice as much as fits, and reads all of it again and again. */
    private void traffic(Broker broker, Runnable settles) throws IOException {
        new Topics(broker).create(records, Map.of());
        for (int round = 0; round < 4; round++) {
            records.produce(broker.clientProperties(), 4_000);
            settles.run();
            records.verifyAll(broker.clientProperties());
        }
    }

    private static double ratio(Gauges gauges, String prefix) throws IOException {
        double ssd = gauges.tier(prefix + "SsdReadBytes");
        return ssd / (ssd + gauges.tier(prefix + "HddReadBytes"));
    }

    /** Of all files of the topic, with links marked. */
    private static List<String> names(Path root) throws IOException {
        if (!Files.exists(root)) {
            return List.of();
        }
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(file -> !Files.isDirectory(file))
                    .map(file -> root.relativize(file) + (Files.isSymbolicLink(file) ? " ->" : ""))
                    .filter(name -> !name.contains("checkpoint") && !name.contains("snapshot"))
                    .sorted()
                    .toList();
        }
    }
}
