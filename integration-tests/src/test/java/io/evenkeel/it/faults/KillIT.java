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
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a broker again and again while it writes, copies, evicts, deletes and recovers, each time at another instant.
 *
 * <p>{@code -Dkill.rounds} says how often, {@code -Dseed} repeats a run's instants.
 */
class KillIT {
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 10);
    /**
     * A run in which no kill hit a copy or followed an eviction proves nothing, so the test goes on for up to this many
     * rounds.
     */
    private static final int MOST_ROUNDS = Math.max(ROUNDS, 40);

    private static final int ROUNDS_PER_TOPIC = 4;
    private static final int STOCK_EVERY = 5;
    private static final int PARTITIONS = 3;
    private static final int LONGEST_LOAD_MS = 1500;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @Test
    void acknowledgedRecordsSurviveAKillAtAnyInstant(@TempDir Path dir) throws InterruptedException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        BrokerConfig config =
                Load.broker(BrokerConfig.under(dir, 2, 1).patched()).with("log.segment.delete.delay.ms", 200);
        Broker tiered = brokers.create(config);
        Broker stock = brokers.create(config.stock());
        Records records = new Records("none", PARTITIONS, 20_000);
        long compared = 0;
        int duringCopy = 0;
        int afterEvictions = 0;
        tiered.start();
        int round = 0;
        for (; round < ROUNDS || (round < MOST_ROUNDS && (duringCopy == 0 || afterEvictions == 0)); round++) {
            try {
                if (round % ROUNDS_PER_TOPIC == 0) {
                    records = replace(tiered, records, "kill-" + round / ROUNDS_PER_TOPIC);
                }
                long[] acknowledged = loadUntilKilled(tiered, records, 1 + random.nextInt(LONGEST_LOAD_MS));
                duringCopy += hasUnfinishedCopy(config) ? 1 : 0;
                afterEvictions += hasEvictedSegments(config) ? 1 : 0;
                if (round % STOCK_EVERY == STOCK_EVERY - 1) {
                    stock.start();
                    verify(stock, records, acknowledged);
                    acknowledged = loadUntilKilled(stock, records, 1 + random.nextInt(LONGEST_LOAD_MS));
                }
                tiered.start();
                compared += verify(tiered, records, acknowledged);
                await().atMost(DEADLINE).until(() -> SegmentFiles.of(config).strays(), Set::isEmpty);
            } catch (RuntimeException | Error failure) {
                throw new AssertionError("round " + round + ", -Dseed=" + seed, failure);
            }
        }
        System.out.printf(
                "killed %d times, %d times during a copy, %d times with evicted segments;"
                        + " compared %d records; -Dseed=%d%n",
                round, duringCopy, afterEvictions, compared, seed);
        assertThat(duringCopy).as("kills that hit a copy").isPositive();
        assertThat(afterEvictions).as("kills while segments leave the SSD").isPositive();
    }

    private static boolean hasEvictedSegments(BrokerConfig config) {
        return !SegmentFiles.of(config).in(SegmentFiles.State.WITHOUT_CACHE).isEmpty();
    }

    private static boolean hasUnfinishedCopy(BrokerConfig config) {
        return SegmentFiles.of(config).strays().stream().anyMatch(KillIT::isUnfinishedCopy);
    }

    private static boolean isUnfinishedCopy(Path stray) {
        return stray.toString().endsWith(".tiering");
    }

    /** Deletes the old topic while the new one is filled: a kill may also hit the deletion. */
    private static Records replace(Broker broker, Records old, String topic) {
        Topics topics = new Topics(broker);
        if (topics.names().contains(old.topic())) {
            topics.delete(old.topic());
        }
        Records records = new Records(topic, old.partitions(), old.valueBytes());
        topics.create(records, Map.of());
        return records;
    }

    /** Writes as fast as the broker allows, kills it at that instant, and returns the acknowledged ends. */
    private static long[] loadUntilKilled(Broker broker, Records records, long killAfterMs)
            throws InterruptedException {
        RecordWriter writer = new RecordWriter(records, broker.clientProperties());
        Load load = new Load(writer, records.partitions());
        load.start();
        // Not a wait for an event: the instant of the kill is random on purpose.
        load.join(killAfterMs);
        broker.kill();
        load.end();
        return writer.acknowledgedEnds();
    }

    private static long verify(Broker broker, Records records, long[] acknowledged) {
        Map<Integer, Range> held = records.verifyAll(broker.clientProperties());
        held.forEach((partition, range) -> {
            assertThat(range.first()).as("start of partition %d", partition).isZero();
            assertThat(range.end())
                    .as("end of partition %d", partition)
                    .isGreaterThanOrEqualTo(acknowledged[partition]);
        });
        return held.values().stream().mapToLong(Range::count).sum();
    }
}
