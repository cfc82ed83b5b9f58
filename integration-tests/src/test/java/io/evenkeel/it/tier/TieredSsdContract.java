/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static io.evenkeel.testkit.SegmentFiles.State.CACHED;
import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The life of tiered segments, seen from the records and from the files only; for every kind of broker and end. */
abstract class TieredSsdContract {
    static final Duration DEADLINE = Duration.ofSeconds(60);
    static final int SEGMENT_BYTES = 1 << 20;
    private static final long A_LOT = 1L << 30;

    @RegisterExtension
    final Brokers brokers;

    @TempDir
    Path dir = Path.of("target");

    TieredSsdContract(Brokers brokers) {
        this.brokers = brokers;
    }

    /** Ends a broker the harder way, unless a test says otherwise. */
    void end(Broker broker) {
        broker.kill();
    }

    @Test
    void segmentLivesOnTheSsdThenOnBothThenOnTheHdd() {
        BrokerConfig config = tiered(1, 1);
        Records records = new Records("life", 2, 4000);

        Broker lazy = brokers.start(neverCopying(config));
        new Topics(lazy).create(records, Map.of());
        records.produce(lazy.clientProperties(), 1000);
        SegmentFiles fresh = SegmentFiles.of(config).of("life");
        assertThat(states(fresh)).containsOnly(ONLY_CACHE);
        assertThat(fresh.segments()).hasSizeGreaterThan(6);
        verify(lazy, records, 1000);
        end(lazy);

        Broker eager = brokers.start(config);
        verify(eager, records, 1000);
        awaitFiles(config, "life", TieredSsdContract::isActiveOnlyCacheAndTheRestCached);
        verify(eager, records, 1000);
        records.produce(eager.clientProperties(), 500);
        verify(eager, records, 1500);
        end(eager);

        Broker small = brokers.start(config.with("tiered.ssd.capacity.bytes", 6L * SEGMENT_BYTES));
        verify(small, records, 1500);
        awaitFiles(config, "life", files -> !files.in(WITHOUT_CACHE).isEmpty());
        verify(small, records, 1500);
        records.produce(small.clientProperties(), 500);
        verify(small, records, 2000);
        end(small);

        Broker last = brokers.start(config);
        verify(last, records, 2000);
        awaitNoStrays(config);
    }

    @Test
    void stockBrokerReadsAndAppendsAndTheAgentTakesItBack() {
        BrokerConfig config = tiered(1, 1).with("tiered.ssd.capacity.bytes", 8L * SEGMENT_BYTES);
        Records records = new Records("handover", 2, 4000);
        Broker tiered = brokers.start(config);
        new Topics(tiered).create(records, Map.of());
        records.produce(tiered.clientProperties(), 2000);
        awaitFiles(
                config,
                "handover",
                files -> !files.in(WITHOUT_CACHE).isEmpty() && !files.in(CACHED).isEmpty());
        end(tiered);

        Broker stock = brokers.start(config.stock());
        verify(stock, records, 2000);
        records.produce(stock.clientProperties(), 1000);
        verify(stock, records, 3000);
        end(stock);

        Broker again = brokers.start(config);
        verify(again, records, 3000);
        records.produce(again.clientProperties(), 1000);
        verify(again, records, 4000);
        awaitNoStrays(config);
    }

    @Test
    void severalHddsAndSsdsHoldEveryRecord() {
        BrokerConfig config = tiered(2, 2).with("tiered.ssd.capacity.bytes", 10L * SEGMENT_BYTES);
        Records records = new Records("jbod", 4, 4000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 2000);
        // not ONLY_CACHE: when an SSD is full, active segments leave it as soon as nobody appends to them
        awaitFiles(config, "jbod", files -> states(files).containsAll(List.of(CACHED, WITHOUT_CACHE)));
        SegmentFiles files = SegmentFiles.of(config).of("jbod");
        assertThat(config.ssdDirs())
                .allMatch(ssd -> files.segments().stream()
                        .anyMatch(segment ->
                                segment.ssdFile() != null && segment.ssdFile().startsWith(ssd)));
        verify(broker, records, 2000);
        end(broker);
        broker.start();
        verify(broker, records, 2000);
        awaitNoStrays(config);
    }

    /** A small broker whose copier is eager and whose deletions are quick; the SSDs are large enough for all. */
    BrokerConfig tiered(int hdds, int ssds) {
        return BrokerConfig.under(dir.resolve("node"), hdds, ssds)
                .patched()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.check.interval.ms", 500)
                .with("log.segment.delete.delay.ms", 1000)
                .with("log.initial.task.delay.ms", 500)
                .with("log.cleaner.backoff.ms", 500)
                .with("tiered.ssd.capacity.bytes", A_LOT)
                .with("tiered.ssd.copy.interval.ms", 100);
    }

    private static BrokerConfig neverCopying(BrokerConfig config) {
        return config.with("tiered.ssd.copy.interval.ms", Duration.ofHours(1).toMillis());
    }

    static void verify(Broker broker, Records records, long perPartition) {
        assertThat(records.verifyAll(broker.clientProperties()).values())
                .containsOnly(new Range(0, perPartition))
                .hasSize(records.partitions());
    }

    static void awaitFiles(BrokerConfig config, String topic, Predicate<SegmentFiles> condition) {
        await().atMost(DEADLINE).until(() -> SegmentFiles.of(config).of(topic), condition);
    }

    static void awaitNoStrays(BrokerConfig config) {
        await().atMost(DEADLINE).until(() -> SegmentFiles.of(config).strays(), Set::isEmpty);
    }

    static List<State> states(SegmentFiles files) {
        return files.segments().stream().map(Segment::state).distinct().toList();
    }

    private static Collection<Segment> active(SegmentFiles files) {
        return files.segments().stream()
                .collect(Collectors.toMap(
                        Segment::partition,
                        segment -> segment,
                        BinaryOperator.maxBy(Comparator.comparingLong(Segment::baseOffset))))
                .values();
    }

    private static boolean isActiveOnlyCacheAndTheRestCached(SegmentFiles files) {
        Collection<Segment> active = active(files);
        return files.segments().stream()
                .allMatch(segment -> segment.state() == (active.contains(segment) ? ONLY_CACHE : CACHED));
    }
}
