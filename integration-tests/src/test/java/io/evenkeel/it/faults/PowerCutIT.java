/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Load;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.CutDisks;
import io.evenkeel.testkit.disk.Disks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power of a broker's disks again and again while it writes, copies, evicts, deletes and recovers, each time
 * at another instant: what it had acknowledged by then must be there afterwards, with the patch and without it.
 *
 * <p>{@code -Dpower.cuts} says how often, {@code -Dseed} repeats a run's instants. That such a cut does take what was
 * not flushed, {@link LeftOutFsyncIT} shows.
 */
class PowerCutIT {
    private static final int CUTS = Integer.getInteger("power.cuts", 3);
    /** A run that did not hit each of these proves nothing, so the test goes on for up to this many cuts. */
    private static final int MOST_CUTS = Math.max(CUTS, 40);

    private static final Set<String> TO_BE_HIT = Set.of("copy under way", "ONLY_CACHE", "CACHED", "WITHOUT_CACHE");
    private static final int CUTS_PER_TOPIC = 4;
    private static final int STOCK_EVERY = 5;
    private static final int PARTITIONS = 3;
    private static final String TOPIC = "power";
    private static final long TOPIC_AGE_MS = 3_600_000;
    private static final int VALUE_BYTES = 20_000;
    private static final int LONGEST_LOAD_MS = 1500;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    Path dir = Path.of("target");

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    private final Map<String, Integer> hits = new TreeMap<>();
    private final long[] deletedBefore = new long[PARTITIONS];

    @Test
    void acknowledgedRecordsSurviveAPowerCutAtAnyInstant() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        CutDisks power = disks.withPowerCuts(dir);
        BrokerConfig config = config(power);
        Broker tiered = brokers.create(config);
        Broker stock = brokers.create(config.stock());
        Records records = new Records(TOPIC, PARTITIONS, VALUE_BYTES);
        long compared = 0;
        tiered.start();
        power.writeBackAll(); // how a broker formats its disks is not the question
        int cut = 0;
        for (; cut < CUTS || (cut < MOST_CUTS && !hits.keySet().containsAll(TO_BE_HIT)); cut++) {
            try {
                Broker broker = tiered;
                if (cut % STOCK_EVERY == STOCK_EVERY - 1) {
                    tiered.kill();
                    broker = stock.start();
                }
                if (cut % CUTS_PER_TOPIC == 0) {
                    records = replace(broker, records);
                }
                long[] acknowledged = loadUntilCut(power, broker, records, random);
                look(config);
                if (cut % STOCK_EVERY == 0) {
                    verify(stock.start(), records, acknowledged);
                    stock.kill();
                }
                tiered.start();
                compared += verify(tiered, records, acknowledged);
                await().atMost(DEADLINE).until(() -> SegmentFiles.of(config).strays(), Set::isEmpty);
            } catch (RuntimeException | Error failure) {
                throw new AssertionError("cut " + cut + ", -Dseed=" + seed, failure);
            }
        }
        System.out.printf("%d power cuts, compared %d records, hit %s; -Dseed=%d%n", cut, compared, hits, seed);
        assertThat(hits.keySet()).containsAll(TO_BE_HIT);
    }

    private static BrokerConfig config(CutDisks power) {
        return Load.broker(power.broker())
                .with("log.segment.delete.delay.ms", 100)
                .with("log.retention.check.interval.ms", 200);
    }

    /** Deletes the topic and makes a new one of the same name; its records differ by their time. */
    private Records replace(Broker broker, Records old) {
        Topics topics = new Topics(broker);
        if (topics.names().contains(TOPIC)) {
            topics.delete(TOPIC);
            await().atMost(DEADLINE).until(() -> !topics.names().contains(TOPIC));
        }
        Records records = new Records(TOPIC, PARTITIONS, old.firstTimestampMs() - TOPIC_AGE_MS, VALUE_BYTES);
        await().atMost(DEADLINE)
                .ignoreExceptions()
                .until(
                        () -> { // a slow machine may just have fenced the broker
                            topics.create(records, Map.of());
                            return true;
                        });
        Arrays.fill(deletedBefore, 0);
        return records;
    }

    /** Returns the acknowledged ends at the power cut. */
    private long[] loadUntilCut(CutDisks power, Broker broker, Records records, Random random)
            throws IOException, InterruptedException {
        RecordWriter writer = new RecordWriter(records, broker.clientProperties());
        deleteSome(broker, writer.acknowledgedEnds(), random);
        Load load = new Load(writer, PARTITIONS);
        load.start();
        // Not a wait for an event: the instant of the cut is random on purpose.
        load.join(1 + random.nextInt(LONGEST_LOAD_MS));
        long[] acknowledged = writer.acknowledgedEnds();
        power.cut();
        broker.kill();
        load.end();
        power.powerOn();
        return acknowledged;
    }

    /** The files go a little later, while the load runs. */
    private void deleteSome(Broker broker, long[] ends, Random random) {
        int partition = random.nextInt(PARTITIONS);
        long end = ends[partition];
        if (end > 0) {
            deletedBefore[partition] = Math.max(deletedBefore[partition], random.nextLong(end) / 2);
            new Topics(broker).deleteRecordsBefore(TOPIC, partition, deletedBefore[partition]);
        }
    }

    /** Checks the disks before recovery: a stock broker would have to cope with these files. */
    private void look(BrokerConfig config) throws IOException {
        SegmentFiles found = SegmentFiles.of(config);
        for (State state : State.values()) {
            hit(state.name(), !found.in(state).isEmpty());
        }
        for (Path stray : found.strays()) {
            assertThat(Files.isSymbolicLink(stray) && stray.toString().endsWith(".log"))
                    .as("a link that leads nowhere: " + stray)
                    .isFalse();
        }
        hit(
                "copy under way",
                found.strays().stream().anyMatch(stray -> stray.toString().endsWith(".tiering")));
        hit(
                "orphan",
                found.strays().stream()
                        .anyMatch(stray -> stray.startsWith(config.ssdDirs().get(0))));
        for (Segment segment : found.in(State.CACHED)) {
            assertThat(Files.mismatch(segment.path(), Objects.requireNonNull(segment.ssdFile())))
                    .as("the copies of " + segment.path())
                    .isEqualTo(-1);
        }
        try (Stream<Path> files = Files.walk(config.logDirs().get(0))) {
            List<String> names = files.map(Path::toString).toList();
            hit("segment to be deleted", names.stream().anyMatch(name -> name.endsWith(".deleted")));
            hit("topic to be deleted", names.stream().anyMatch(name -> name.endsWith("-delete")));
        }
    }

    private void hit(String what, boolean isHit) {
        if (isHit) {
            hits.merge(what, 1, Integer::sum);
        }
    }

    private long verify(Broker broker, Records records, long[] acknowledged) {
        Map<Integer, Range> held = records.verifyAll(broker.clientProperties());
        held.forEach((partition, range) -> {
            // an older start is no loss: stock remembers a deletion for good only once a minute
            assertThat(range.first())
                    .as("start of partition %d", partition)
                    .isLessThanOrEqualTo(deletedBefore[partition]);
            assertThat(range.end())
                    .as("end of partition %d", partition)
                    .isGreaterThanOrEqualTo(acknowledged[partition]);
        });
        return held.values().stream().mapToLong(Range::count).sum();
    }
}
