/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * An SSD without room: no append fails, new segments go to the HDD and, when there is room again, to the SSD by
 * themselves.
 */
@Timeout(180)
class FullSsdIT {
    private static final long DISK_BYTES = 256L << 20;
    private static final int SEGMENT_BYTES = 1 << 20;
    /** Of the topic whose active segment is far from full when the SSD is. */
    private static final int LARGE_SEGMENT_BYTES = 64 << 20;

    private static final int BATCH_RECORDS = 20;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final String RATE = "tiered.ssd.copy.bytes.per.second";
    private static final String MIN_RATE = "tiered.ssd.copy.min.bytes.per.second";
    private static final String SPILLED = "The SSD was full in the middle of an append";
    private static final String PLACED_ON_HDD =
            "A new segment was placed on the HDD because its SSDs have no room for it";

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records small = new Records("small", 1, 1000);
    private final Records large = new Records("large", 1, 1000);

    @Test
    void foreignDataThatFillsTheSsdFailsNoAppend() throws Exception {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        BrokerConfig config = config(ssd, DISK_BYTES / 2);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(small, Map.of());
        topics.create(large, Map.of("segment.bytes", "" + LARGE_SEGMENT_BYTES));
        long[] acknowledged;
        try (Gauges gauges = new Gauges(broker);
                RecordWriter toSmall = new RecordWriter(small, broker.clientProperties());
                RecordWriter toLarge = new RecordWriter(large, broker.clientProperties())) {
            List<RecordWriter> writers = List.of(toSmall, toLarge);
            produceUntil(writers, () -> segments(config, small).size() > 3);
            assertThat(segments(config, small)).allMatch(segment -> segment.state() == ONLY_CACHE);

            Path filler = ssd.fill(SEGMENT_BYTES / 4);
            System.out.println("left: " + ssd.path().toFile().getUsableSpace());
            produceUntil(writers, () -> activeIn(config, large, WITHOUT_CACHE));
            assertThat(segments(config, large))
                    .as("it spilled, or had ended before it could")
                    .hasSize(broker.said(SPILLED).stream().anyMatch(line -> line.contains("large-0")) ? 1 : 2);
            produceUntil(writers, () -> gauges.tier("PlacedOnHddNoRoom") >= 3);
            assertThat(activeIn(config, small, WITHOUT_CACHE)).isTrue();
            assertThat(broker.said(PLACED_ON_HDD)).isNotEmpty();
            assertThat(gauges.offlineLogDirs()).isZero();
            System.out.println("full: " + broker.said(SPILLED) + broker.said(PLACED_ON_HDD));

            fasterCopies(topics);
            produceUntil(writers, () -> activeIn(config, small, ONLY_CACHE));
            assertThat(filler).as("copied segments have made room").exists();
            Files.delete(filler);
            produceUntil(writers, () -> activeIn(config, small, ONLY_CACHE) && activeIn(config, large, ONLY_CACHE));
            assertThat(gauges.offlineLogDirs()).isZero();
            acknowledged = new long[] {toSmall.acknowledgedEnd(0), toLarge.acknowledgedEnd(0)};
        }
        for (int again = 0; again < 2; again++) {
            assertThat(small.verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, acknowledged[0]));
            assertThat(large.verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, acknowledged[1]));
            broker.restart();
        }
    }

    @Test
    void segmentsThatCannotBeEvictedSendNewOnesToTheHddUntilTheyCan() throws Exception {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        BrokerConfig config = config(ssd, 8 * SEGMENT_BYTES);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(small, Map.of());
        long acknowledged;
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(small, broker.clientProperties())) {
            produceUntil(List.of(writer), () -> gauges.tier("PlacedOnHddNoRoom") >= 5);
            assertThat(gauges.tier("PlacedOnHdd")).isEqualTo(gauges.tier("PlacedOnHddNoRoom"));
            assertThat(activeIn(config, small, WITHOUT_CACHE)).isTrue();
            assertThat(gauges.tier("EvictedSegments")).isZero();
            assertThat(broker.said(PLACED_ON_HDD)).as("at most once a minute").hasSizeBetween(1, 3);
            System.out.println("full: " + broker.said(PLACED_ON_HDD));

            fasterCopies(topics);
            produceUntil(List.of(writer), () -> activeIn(config, small, ONLY_CACHE));
            await().atMost(DEADLINE).until(() -> gauges.tier("EvictedSegments") > 0);
            assertThat(gauges.offlineLogDirs()).isZero();
            acknowledged = writer.acknowledgedEnd(0);
        }
        assertThat(small.verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, acknowledged));
    }

    /** Copies are so slow that none is finished. */
    private BrokerConfig config(LoopDisk ssd, long capacityBytes) {
        return BrokerConfig.under(dir.resolve("node"), 1, 0)
                .withSsdDirs(ssd.path().resolve("tier"))
                .patched()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("tiered.ssd.capacity.bytes", capacityBytes)
                .with("tiered.ssd.copy.interval.ms", 100)
                .with(RATE, 1)
                .with(MIN_RATE, 1);
    }

    private static void fasterCopies(Topics topics) {
        topics.configureBroker(1, Map.of(RATE, "" + (100 << 20), MIN_RATE, "" + (100 << 20)));
    }

    /** All replicas acknowledge each batch before the next; one that fails ends the test. */
    private static void produceUntil(List<RecordWriter> writers, Callable<Boolean> condition) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(DEADLINE)
                .until(() -> {
                    for (RecordWriter writer : writers) {
                        for (int i = 0; i < BATCH_RECORDS; i++) {
                            writer.send(0);
                        }
                        writer.flush();
                    }
                    return condition.call();
                });
    }

    /** The last one is the active one. */
    private static List<Segment> segments(BrokerConfig config, Records records) {
        return SegmentFiles.of(config).of(records.topic()).segments();
    }

    private static boolean activeIn(BrokerConfig config, Records records, State state) {
        List<Segment> segments = segments(config, records);
        return segments.get(segments.size() - 1).state() == state;
    }
}
