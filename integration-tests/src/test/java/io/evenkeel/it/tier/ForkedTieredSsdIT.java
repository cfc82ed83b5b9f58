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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tier on Kafka's own jars in a child JVM, while Kafka deletes, compacts and moves tiered segments. The brokers are
 * killed; {@link StoppedTieredSsdIT} stops them.
 */
class ForkedTieredSsdIT extends TieredSsdContract {
    ForkedTieredSsdIT() {
        super(Brokers.forked());
    }

    @Test
    void copiesEndBeforeKafkaGivesTheLogDirectoriesFree() throws IOException {
        BrokerConfig config = tiered(1, 1)
                .with("tiered.ssd.copy.bytes.per.second", SEGMENT_BYTES)
                .with("tiered.ssd.copy.min.bytes.per.second", SEGMENT_BYTES);
        Records records = new Records("ends", 1, 4000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 4000);
        awaitFiles(config, "ends", files -> !files.in(CACHED).isEmpty());
        broker.stop();
        assertThat(SegmentFiles.of(config).of("ends").in(ONLY_CACHE))
                .as("would have been copied")
                .hasSizeGreaterThan(2);
        assertThat(Files.readString(broker.logFile()))
                .containsPattern("(?s)Copy and eviction have ended.*Shutdown complete\\. \\([a-z.]*LogManager\\)");
    }

    @Test
    void allStatesAreThereWhileRecordsFlowAndTheOldestLeaveFirst() {
        BrokerConfig config = tiered(1, 1)
                .with("tiered.ssd.capacity.bytes", 12 * SEGMENT_BYTES)
                .with("tiered.ssd.high.watermark.ratio", "0.6")
                .with("tiered.ssd.low.watermark.ratio", "0.4");
        Records records = new Records("flow", 1, 4000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        // In bursts that fit above the watermark: nothing needs to be placed on the HDD for want of space.
        for (int i = 1; i <= 10; i++) {
            records.produce(broker.clientProperties(), 400);
            awaitFiles(config, "flow", files -> files.in(ONLY_CACHE).size() == 1);
        }
        awaitFiles(
                config,
                "flow",
                files -> states(files).size() == 3
                        && files.bytesIn(ONLY_CACHE) + files.bytesIn(CACHED) <= 12L * SEGMENT_BYTES);
        List<State> byAge = SegmentFiles.of(config).of("flow").segments().stream()
                .map(Segment::state)
                .toList();
        assertThat(byAge).isSortedAccordingTo(Comparator.reverseOrder());
        verify(broker, records, 4000);
    }

    @Test
    void deletedTopicLeavesNothingOnTheSsd() {
        BrokerConfig config = tiered(1, 1).with("tiered.ssd.capacity.bytes", 8L * SEGMENT_BYTES);
        Records records = new Records("gone", 2, 4000);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(records, Map.of());
        records.produce(broker.clientProperties(), 1500);
        topics.delete("gone");
        await().atMost(DEADLINE)
                .until(() -> filesBelow(config.ssdDirs(), "gone").isEmpty());
        awaitNoStrays(config);
    }

    @Test
    void deletedAndExpiredRecordsLeaveNothingOnTheSsd() {
        BrokerConfig config = tiered(1, 1);
        Records records = new Records("cut", 1, 4000);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(records, Map.of("retention.bytes", String.valueOf(8 * SEGMENT_BYTES)));
        records.produce(broker.clientProperties(), 3000);
        awaitFiles(config, "cut", files -> files.segments().size() <= 10);
        topics.deleteRecordsBefore("cut", 0, 2500);
        awaitFiles(config, "cut", files -> files.segments().size() <= 4);
        await().atMost(DEADLINE)
                .until(() -> filesBelow(config.ssdDirs(), "cut").size()
                        <= SegmentFiles.of(config).of("cut").segments().size());
        awaitNoStrays(config);
        assertThat(records.verifyAll(broker.clientProperties())).isEqualTo(Map.of(0, new Range(2500, 3000)));
        broker.restart();
        assertThat(records.verifyAll(broker.clientProperties())).isEqualTo(Map.of(0, new Range(2500, 3000)));
    }

    @Test
    void topicIsCreatedAgainWhileItsOldSegmentsAwaitDeletion() {
        BrokerConfig config = tiered(1, 1);
        Records old = new Records("twice", 2, 4000);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(old, Map.of("file.delete.delay.ms", "10000"));
        old.produce(broker.clientProperties(), 1000);
        topics.delete("twice");
        await().atMost(DEADLINE).until(() -> !topics.names().contains("twice"));

        Records fresh = new Records("twice", 2, 2000);
        topics.create(fresh, Map.of());
        fresh.produce(broker.clientProperties(), 1500);
        verify(broker, fresh, 1500);
        end(broker);
        broker.start();
        verify(broker, fresh, 1500);
        awaitNoStrays(config);
        await().atMost(DEADLINE)
                .until(() -> filesBelow(config.logDirs(), "twice").stream()
                        .noneMatch(file -> file.toString().contains("-delete")));
        awaitNoStrays(config);
        verify(broker, fresh, 1500);
    }

    @Test
    void preallocatedSegmentsAreTiered() {
        BrokerConfig config =
                tiered(1, 1).with("log.preallocate", true).with("tiered.ssd.capacity.bytes", 8L * SEGMENT_BYTES);
        Records records = new Records("prealloc", 1, 4000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 3000);
        awaitFiles(config, "prealloc", files -> !files.in(WITHOUT_CACHE).isEmpty());
        verify(broker, records, 3000);
        end(broker);
        broker.start();
        verify(broker, records, 3000);
        records.produce(broker.clientProperties(), 500);
        verify(broker, records, 3500);
        awaitNoStrays(config);
    }

    @Test
    void compactionRewritesTieredSegments() {
        BrokerConfig config = tiered(1, 1);
        Records records = new Records("compact", 1, 4000);
        Broker broker = brokers.start(config);
        // Every key is there once, so the cleaner rewrites segments but must keep all records.
        new Topics(broker)
                .create(
                        records,
                        Map.of(
                                "cleanup.policy", "compact",
                                "min.cleanable.dirty.ratio", "0.01",
                                "file.delete.delay.ms", "1000"));
        records.produce(broker.clientProperties(), 1500);
        Path cleaned = config.logDirs().get(0).resolve("cleaner-offset-checkpoint");
        await().atMost(DEADLINE)
                .until(() -> Files.exists(cleaned) && Files.readString(cleaned).contains("compact 0"));
        verify(broker, records, 1500);
        end(broker);
        broker.start();
        verify(broker, records, 1500);
        awaitNoStrays(config);
    }

    @Test
    void partitionMovesBetweenHdds() {
        BrokerConfig config = tiered(2, 1);
        Records records = new Records("move", 1, 4000);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(records, Map.of("file.delete.delay.ms", "1000"));
        records.produce(broker.clientProperties(), 2000);
        Path from = SegmentFiles.of(config).of("move").segments().get(0).path();
        Path to = config.logDirs().stream()
                .filter(hdd -> !from.startsWith(hdd))
                .findFirst()
                .orElseThrow();
        topics.move("move", 0, to.toString());
        awaitFiles(
                config,
                "move",
                files -> files.segments().stream()
                        .allMatch(segment -> segment.path().startsWith(to)));
        verify(broker, records, 2000);
        records.produce(broker.clientProperties(), 500);
        end(broker);
        broker.start();
        verify(broker, records, 2500);
        awaitNoStrays(config);
    }

    /** All files of a topic, also renamed ones. */
    private static List<Path> filesBelow(List<Path> dirs, String topic) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path root : dirs) {
            try (Stream<Path> all = Files.walk(root)) {
                all.filter(path -> !Files.isDirectory(path)
                                && path.getName(path.getNameCount() - 2)
                                        .toString()
                                        .startsWith(topic + "-"))
                        .forEach(found::add);
            } catch (UncheckedIOException wentAwayMeanwhile) {
                found.add(root);
            }
        }
        return found;
    }
}
