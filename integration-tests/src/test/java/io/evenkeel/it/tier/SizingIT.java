/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What {@code size} computes of a load, beside what a broker does under that load. */
@Tag("long")
@Timeout(1200)
class SizingIT {
    private static final String TOPIC = "sized";
    private static final int PARTITIONS = 8;
    private static final int SEGMENT_BYTES = 2 << 20;
    private static final long CAPACITY_BYTES = 1_000_000_000;
    private static final long PRODUCED_BYTES_PER_SECOND = 7_000_000;
    private static final int LEAST_LAG_SECONDS = 60;
    private static final int LONGEST_LAG_SECONDS = 240;
    /** The SSD is full and everybody reads. */
    private static final int BEGIN_SECONDS = 290;

    private static final int LOOKS = 30;
    private static final int SECONDS_PER_LOOK = 6;
    private static final int PERCENT = 10;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private BrokerConfig config;

    @BeforeEach
    void configure() {
        config = BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("tiered.ssd.capacity.bytes", CAPACITY_BYTES);
    }

    @Test
    void theBrokerDoesWhatTheToolComputes() throws Exception {
        Broker broker = brokers.start(config);
        new Topics(broker).create(new Records(TOPIC, PARTITIONS, 0), Map.of());
        try (SteadyTraffic traffic = new SteadyTraffic(broker, TOPIC);
                Gauges gauges = new Gauges(broker)) {
            traffic.produce(PARTITIONS, PRODUCED_BYTES_PER_SECOND);
            for (int i = 0; i < PARTITIONS; i++) {
                traffic.consume(i, lagSeconds(i));
            }
            traffic.goesOn(BEGIN_SECONDS);
            Measured did = measure(traffic, gauges);
            JsonNode would = size(did.inflow());
            double wouldSeconds = would.at("/hoursOnSsd").asDouble() * 3600;
            double wouldShare = would.at("/fromSsd").asDouble();
            double wouldEvict = would.at("/evictions").asDouble() / 86_400;
            System.out.printf(
                    "%.2f MB/s in: on SSD %.0f s, computed %.0f; reads from the SSD %.3f, computed %.3f;"
                            + " evictions/s %.3f, computed %.3f%n",
                    did.inflow() / 1e6,
                    did.secondsOnSsd(),
                    wouldSeconds,
                    did.ssdShare(),
                    wouldShare,
                    did.evictionsPerSecond(),
                    wouldEvict);
            assertThat(did.secondsOnSsd()).isCloseTo(wouldSeconds, withinPercentage(PERCENT));
            assertThat(did.ssdShare()).isBetween(0.2, 0.8).isCloseTo(wouldShare, withinPercentage(PERCENT));
            assertThat(did.evictionsPerSecond()).isCloseTo(wouldEvict, withinPercentage(PERCENT));
        }
    }

    /** Evenly between the two, as the tool has it. */
    private static long lagSeconds(int reader) {
        return LEAST_LAG_SECONDS + (long) ((reader + 0.5) / PARTITIONS * (LONGEST_LAG_SECONDS - LEAST_LAG_SECONDS));
    }

    /** @param secondsOnSsd so much of a partition's newest data was on the SSD, the mean of all looks */
    private record Measured(double inflow, double secondsOnSsd, double ssdShare, double evictionsPerSecond) {}

    private Measured measure(SteadyTraffic traffic, Gauges gauges) throws Exception {
        long beginNanos = System.nanoTime();
        long bytes = bytes();
        long ssd = gauges.tier("SsdReadBytes");
        long hdd = gauges.tier("HddReadBytes");
        long evicted = gauges.tier("EvictedSegments");
        double onSsdBytes = 0;
        for (int i = 0; i < LOOKS; i++) {
            traffic.goesOn(SECONDS_PER_LOOK);
            onSsdBytes += newestOnSsdBytes();
        }
        double seconds = (System.nanoTime() - beginNanos) / 1e9;
        double inflow = (bytes() - bytes) / seconds;
        double fromSsd = (double) gauges.tier("SsdReadBytes") - ssd;
        double fromHdd = (double) gauges.tier("HddReadBytes") - hdd;
        return new Measured(
                inflow,
                onSsdBytes / LOOKS / inflow,
                fromSsd / (fromSsd + fromHdd),
                (gauges.tier("EvictedSegments") - evicted) / seconds);
    }

    private long bytes() {
        return SegmentFiles.of(config).segments().stream()
                .mapToLong(Segment::bytes)
                .sum();
    }

    /** Of each partition, what is on the SSD without a gap. */
    private long newestOnSsdBytes() {
        SegmentFiles files = SegmentFiles.of(config);
        long sum = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            List<Segment> segments = files.of(TOPIC, i).segments();
            for (int k = segments.size() - 1; k >= 0 && segments.get(k).state() != State.WITHOUT_CACHE; k--) {
                sum += segments.get(k).bytes();
            }
        }
        return sum;
    }

    private JsonNode size(double inflow) throws IOException, InterruptedException {
        Tool.Outcome outcome = new Tool("io.evenkeel.tiered.tool.TieredSsdTool", dir, List.of())
                .patched()
                .run(
                        "size",
                        "--inflow=" + Math.round(inflow),
                        "--partitions=" + PARTITIONS,
                        "--segment=" + SEGMENT_BYTES,
                        "--fan-out=1",
                        "--ssds=1",
                        "--ssd-capacity=" + CAPACITY_BYTES,
                        "--hdds=1",
                        "--json",
                        "--lag",
                        "100%:" + LEAST_LAG_SECONDS / 60 + "-" + LONGEST_LAG_SECONDS / 60);
        assertThat(outcome.exit()).as(outcome.said()).isZero();
        return new ObjectMapper().readTree(outcome.out()).at("/policies/0");
    }
}
