/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.EagerTier;
import io.evenkeel.it.Repeated;
import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.Footprint;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slow clients keep sends under way while the segments that are sent are evicted, moved to another log directory,
 * deleted and compacted, and while their leader changes. What is sent is right, an eviction disconnects no consumer,
 * and when all is over the brokers hold no file, no mapping and no buffer more than before.
 */
@Tag("long")
@Timeout(600)
class FetchesInFlightIT {
    /** Until sends were under way as their files went. */
    private static final int MOST_ROUNDS = 5;

    private static final int BATCHES = 60;
    private static final int READERS_A_TOPIC = 2;
    private static final long PAUSE_MS = 20;
    private static final long NOW_MS = System.currentTimeMillis();
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    /** Buffers that threads keep for themselves come and go; one of the copier's has four times as much. */
    private static final long SLACK_BYTES = 1 << 20;

    private static final String KEPT = "kept";
    private static final String MOVED = "moved";
    private static final String TRIMMED = "trimmed";
    private static final String COMPACTED = "compacted";
    private static final String TORN = "torn";
    private static final String DELETED = "deleted";

    private final Random random = new Random(1);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private ForkedBroker leader;
    private ForkedBroker follower;
    private Topics topics;
    private long brokenSends;

    @BeforeEach
    void start() {
        BrokerConfig first = node("1");
        leader = (ForkedBroker) brokers.start(first);
        follower = (ForkedBroker) brokers.start(Cluster.broker(node("2"), 2, first));
        topics = new Topics(leader);
    }

    private BrokerConfig node(String name) {
        return EagerTier.on(BrokerConfig.under(dir.resolve(name), 2, 1))
                .patched()
                .with("num.io.threads", 3)
                .with("num.network.threads", 2);
    }

    @Test
    void whatSendsHeldIsGivenBack() throws Exception {
        round(); // what is made once and kept
        Footprint leaderBefore = Footprint.of(leader);
        Footprint followerBefore = Footprint.of(follower);
        int rounds = 0;
        do {
            round();
            rounds++;
        } while (brokenSends == 0 && rounds < MOST_ROUNDS);
        assertThat(brokenSends).as("sends under way as their files went").isPositive();
        awaitAtMost(leaderBefore, leader);
        awaitAtMost(followerBefore, follower);
    }

    /** Everything that can happen to a segment, in the middle of sends. */
    private void round() throws Exception {
        createAll();
        Map<String, List<SlowReader>> readers = new LinkedHashMap<>();
        List<Repeated> reading = new ArrayList<>();
        for (String topic : List.of(KEPT, MOVED, TRIMMED, COMPACTED, TORN, DELETED)) {
            readers.put(topic, new ArrayList<>());
            for (int i = 0; i < READERS_A_TOPIC; i++) {
                SlowReader reader = new SlowReader(leader, new Records(topic, 1, SameBatches.VALUE_BYTES));
                readers.get(topic).add(reader);
                long seed = random.nextLong();
                Random offsets = new Random(seed);
                reading.add(new Repeated(
                        topic, PAUSE_MS, () -> reader.fetch(offsets.nextInt(BATCHES * SameBatches.RECORDS))));
            }
        }
        awaitMore(reading);
        long evicted = evicted();
        append(KEPT, BATCHES);
        moveAndBack();
        topics.deleteRecordsBefore(TRIMMED, 0, BATCHES / 2 * SameBatches.RECORDS);
        changeLeader();
        topics.delete(DELETED);
        awaitMore(reading);
        await("compaction")
                .atMost(DEADLINE)
                .until(() -> bytes(COMPACTED) < BATCHES * SameBatches.RECORDS * SameBatches.VALUE_BYTES / 2);
        reading.forEach(Repeated::close);
        assertThat(evicted()).as("evictions under readers").isGreaterThan(evicted);
        report(readers);
        Stream.of(KEPT, MOVED, TRIMMED, COMPACTED, TORN).forEach(topics::delete);
        await("the last file is deleted")
                .atMost(DEADLINE)
                .until(() -> hasNoPartitions(leader) && hasNoPartitions(follower));
    }

    private static boolean hasNoPartitions(ForkedBroker broker) throws IOException {
        for (Path logDir : broker.config().logDirs()) {
            try (Stream<Path> entries = Files.list(logDir)) {
                if (entries.anyMatch(Files::isDirectory)) {
                    return false;
                }
            }
        }
        return SegmentFiles.of(broker.config()).strays().isEmpty();
    }

    private void createAll() {
        topics.create(KEPT, Map.of(0, List.of(1)), Map.of());
        topics.create(MOVED, Map.of(0, List.of(1)), Map.of());
        topics.create(TRIMMED, Map.of(0, List.of(1)), Map.of());
        topics.create(
                COMPACTED,
                Map.of(0, List.of(1)),
                Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"));
        topics.create(TORN, Map.of(0, List.of(1, 2)), Map.of());
        topics.create(DELETED, Map.of(0, List.of(1)), Map.of());
        for (String topic : List.of(KEPT, MOVED, TRIMMED, COMPACTED, TORN, DELETED)) {
            await(topic).atMost(DEADLINE).ignoreExceptions().until(() -> topics.latest(topic, 0) == 0);
            append(topic, BATCHES);
        }
    }

    private void append(String topic, int batches) {
        int keys = topic.equals(COMPACTED) ? 2 * SameBatches.RECORDS : Integer.MAX_VALUE;
        new SameBatches(topic, keys, offset -> NOW_MS + offset).append(leader, batches);
    }

    private void moveAndBack() {
        List<Path> logDirs = leader.config().logDirs();
        int from = SegmentFiles.of(leader.config())
                        .of(MOVED)
                        .segments()
                        .get(0)
                        .path()
                        .startsWith(logDirs.get(0))
                ? 0
                : 1;
        for (Path to : List.of(logDirs.get(1 - from), logDirs.get(from))) {
            topics.move(MOVED, 0, to.toString());
            await("move to " + to)
                    .atMost(DEADLINE)
                    .until(() -> SegmentFiles.of(leader.config()).of(MOVED).segments().stream()
                            .allMatch(segment -> segment.path().startsWith(to)));
        }
    }

    /** The other replica becomes the leader, and this one truncates the records that the other one lacks. */
    private void changeLeader() {
        topics.reassign(TORN, List.of(2, 1));
        new SameBatches(TORN, NOW_MS).append(leader, BATCHES / 2, (short) 1, () -> {});
        topics.electPreferred(TORN, 1);
        await("the other leads")
                .atMost(DEADLINE)
                .until(() -> topics.partition(TORN).leader().id() == 2);
        await("both are in sync")
                .atMost(DEADLINE)
                .until(() -> topics.partition(TORN).isr().size() == 2);
    }

    private void awaitMore(List<Repeated> reading) {
        for (Repeated reader : reading) {
            long count = reader.count();
            await(reader.toString()).atMost(DEADLINE).until(() -> {
                reader.throwIfFailed();
                return reader.count() > count + 1;
            });
        }
    }

    private long evicted() throws IOException {
        try (Gauges gauges = new Gauges(leader)) {
            return gauges.tier("EvictedSegments");
        }
    }

    private long bytes(String topic) {
        return SegmentFiles.of(leader.config()).of(topic).segments().stream()
                .mapToLong(SegmentFiles.Segment::bytes)
                .sum();
    }

    private void report(Map<String, List<SlowReader>> readers) {
        readers.forEach((topic, ofTopic) -> {
            long whole = ofTopic.stream().mapToLong(SlowReader::whole).sum();
            long broken = ofTopic.stream().mapToLong(SlowReader::broken).sum();
            System.out.printf("%s: %d sends came whole, %d were broken%n", topic, whole, broken);
            brokenSends += broken;
        });
        assertThat(readers.get(KEPT)).allMatch(reader -> reader.broken() == 0 && reader.whole() > 0);
    }

    private static void awaitAtMost(Footprint before, ForkedBroker broker) {
        await().atMost(DEADLINE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            Footprint now = Footprint.of(broker);
            System.out.printf("before %s%nnow    %s%n", before, now);
            assertThat(now.openFiles()).as("open files").isLessThanOrEqualTo(before.openFiles());
            assertThat(now.deletedFiles()).as("deleted files that are open").isZero();
            assertThat(now.mappedFiles()).as("mapped files").isLessThanOrEqualTo(before.mappedFiles());
            assertThat(now.directBytes()).as("direct memory").isLessThanOrEqualTo(before.directBytes() + SLACK_BYTES);
        });
    }
}
