/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Load;
import io.evenkeel.it.Repeated;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.CutDisks;
import io.evenkeel.testkit.disk.Disks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cuts the power of a broker that flushes by rate, under load, each time at another instant: of what it had
 * acknowledged, each partition lacks no more than the broker's gauges say that a cut could take, in bytes and in time,
 * and they say no more than the bounds allow, unless the broker has counted that its disk did not keep up. With wider
 * bounds a partition lacks more, so this would notice.
 *
 * <p>Two partitions get records as fast as they are taken, so that the bound in bytes is what counts there, and one
 * gets few, so that it is the one in time.
 *
 * <p>{@code -Dflush.cuts} says how often, {@code -Dseed} repeats a run's instants.
 */
class FlushPowerCutIT {
    private static final int CUTS = Integer.getInteger("flush.cuts", 3);
    private static final int CUTS_PER_TOPIC = 8;
    private static final int CUTS_WITH_WIDE_BOUNDS = 1;
    private static final long MAX_BYTES = 512 << 10;
    /** Other tests use the disk as well; so it has a second for a flush. */
    private static final long MAX_MS = 2_000;

    private static final long WIDE_BYTES = 1 << 30;
    private static final long WIDE_MS = 3_600_000;
    private static final int PARTITIONS = 3;
    private static final int RECORDS_FOR_ONE_OF_THE_FIRST = 200;
    private static final int VALUE_BYTES = 2_000;
    private static final int SHORTEST_LOAD_MS = 3000;
    private static final int LONGEST_LOAD_MS = 5000;
    private static final long LOOK_MS = 2;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    Path dir = Path.of("target");

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private Records records = new Records("flush-0", PARTITIONS, VALUE_BYTES);

    /**
     * The acknowledged data that a cut has lost; the largest loss of any partition.
     *
     * @param ms the time from the first to the last of it, at least
     */
    private record Loss(long bytes, long ms) {
        static final Loss NONE = new Loss(0, 0);

        Loss or(Loss other) {
            return new Loss(Math.max(bytes, other.bytes), Math.max(ms, other.ms));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losesNoMoreThanTheBoundsAllow(boolean withSsd) throws Exception {
        Loss most = mostLost(withSsd, CUTS, MAX_BYTES, MAX_MS);
        System.out.printf("%d power cuts, at most lost: %s; -Dseed=%d%n", CUTS, most, seed);
    }

    @Tag("long")
    @Test
    void widerBoundsLoseMore() throws Exception {
        Loss most = mostLost(false, CUTS_WITH_WIDE_BOUNDS, WIDE_BYTES, WIDE_MS);
        assertThat(most.bytes()).as("bytes, -Dseed=" + seed).isGreaterThan(MAX_BYTES);
        assertThat(most.ms()).as("ms, -Dseed=" + seed).isGreaterThan(MAX_MS);
    }

    private Loss mostLost(boolean withSsd, int cuts, long maxBytes, long maxMs) throws Exception {
        CutDisks power = disks.withPowerCuts(dir);
        BrokerConfig plain = BrokerConfig.under(power.path("os").resolve("node"), 0, 0)
                .withLogDirs(power.path("hdd").resolve("logs"))
                .patched();
        Broker broker = brokers.start((withSsd ? power.broker() : plain)
                .with("log.initial.task.delay.ms", 100)
                .with("flush.ratelimit.enable", true)
                .with("flush.ratelimit.max.unflushed.bytes", maxBytes)
                .with("flush.ratelimit.max.unflushed.ms", maxMs)
                .with("flush.ratelimit.max.append.wait.ms", 5_000));
        Loss most = Loss.NONE;
        for (int cut = 0; cut < cuts; cut++) {
            if (cut % CUTS_PER_TOPIC == 0) {
                replaceTopic(broker, cut);
                power.writeBackAll(); // how a topic is made durable is not the question
            }
            most = most.or(loadUntilCut(power, broker, new Loss(maxBytes, maxMs)));
        }
        return most;
    }

    private void replaceTopic(Broker broker, int number) {
        Topics topics = new Topics(broker);
        if (topics.names().contains(records.topic())) {
            topics.delete(records.topic());
        }
        records = new Records("flush-" + number, PARTITIONS, VALUE_BYTES);
        await().atMost(DEADLINE)
                .ignoreExceptions()
                .until(
                        () -> { // a slow machine may just have fenced the broker
                            topics.create(records, Map.of());
                            return true;
                        });
    }

    private Loss loadUntilCut(CutDisks power, Broker broker, Loss bounds) throws IOException, InterruptedException {
        RecordWriter writer = new RecordWriter(records, broker.clientProperties());
        Acknowledged acknowledged = new Acknowledged(writer);
        Load load = new Load(writer, FlushPowerCutIT::partitionOf);
        long cutNanos;
        Loss told;
        try (Gauges gauges = new Gauges(broker);
                Repeated looking = new Repeated("acknowledged", LOOK_MS, acknowledged::look)) {
            load.start();
            // Not a wait for an event: the instant of the cut is random on purpose.
            load.join(SHORTEST_LOAD_MS + random.nextInt(LONGEST_LOAD_MS - SHORTEST_LOAD_MS));
            looking.throwIfFailed();
            acknowledged.look();
            cutNanos = System.nanoTime(); // or later
            power.cut();
            told = told(gauges, bounds);
        }
        broker.kill();
        load.end();
        power.powerOn();
        broker.start();
        Loss loss = loss(broker, acknowledged, cutNanos);
        assertThat(loss.bytes()).as("bytes, -Dseed=" + seed).isLessThanOrEqualTo(told.bytes());
        assertThat(loss.ms()).as("ms, -Dseed=" + seed).isLessThanOrEqualTo(told.ms());
        return loss;
    }

    /** What a cut can have taken at most since the start, as the broker says. */
    private Loss told(Gauges gauges, Loss bounds) throws IOException {
        Loss told = new Loss(gauges.flush("HighestPendingBytes"), gauges.flush("HighestPendingSpanMs"));
        if (gauges.flush("BoundsExceeded") == 0) {
            assertThat(told.bytes()).as("bytes, -Dseed=" + seed).isLessThanOrEqualTo(bounds.bytes());
            assertThat(told.ms()).as("ms, -Dseed=" + seed).isLessThanOrEqualTo(bounds.ms());
        } else {
            System.out.printf("the disk did not keep up with bounds of %s: %s%n", bounds, told);
        }
        return told;
    }

    private static int partitionOf(int record) {
        return record % RECORDS_FOR_ONE_OF_THE_FIRST == 0 ? 0 : 1 + record % (PARTITIONS - 1);
    }

    private Loss loss(Broker broker, Acknowledged acknowledged, long cutNanos) {
        Map<Integer, Range> held = records.verifyAll(broker.clientProperties());
        Loss most = Loss.NONE;
        for (Map.Entry<Integer, Range> partition : held.entrySet()) {
            int number = partition.getKey();
            long end = partition.getValue().end();
            long bytes = LongStream.range(end, acknowledged.end(number, cutNanos))
                    .map(offset -> records.value(number, offset).length)
                    .sum();
            most = most.or(new Loss(bytes, acknowledged.msBehind(number, end, cutNanos)));
        }
        return most;
    }
}
