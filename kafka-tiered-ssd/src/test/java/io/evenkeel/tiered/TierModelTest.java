/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSnapshot;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random operations on three partitions, against byte arrays. After each one the bytes, the files and the reserved
 * bytes must agree. Up to two minutes of virtual time pass between two of them.
 *
 * <p>{@code -Dseeds} says how many runs, {@code -Dsimulated.hours} how many hours at least, {@code -Dseed} the first
 * seed; a failure names its seed.
 */
@Tag("slow")
class TierModelTest {
    private static final int SEEDS = Integer.getInteger("seeds", 20);
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int STEPS = 150;
    private static final int PARTITIONS = 3;

    @TempDir
    Path root;

    private final Set<SegmentState> seen = EnumSet.noneOf(SegmentState.class);

    /** A partition as it should be. */
    private static final class Log {
        final Path dir;
        final NavigableMap<Long, byte[]> bytes = new TreeMap<>();
        final NavigableMap<Long, FileChannel> channels = new TreeMap<>();

        Log(Path dir) {
            this.dir = dir;
        }
    }

    @Test
    void tierAgreesWithPlainBytes() throws Exception {
        long seed = FIRST_SEED;
        long nanos = 0;
        for (; seed < FIRST_SEED + SEEDS || nanos < SimulatedHours.NANOS / 10 * 8; seed++) {
            Path dir = Files.createDirectories(root.resolve("seed-" + seed));
            try {
                nanos += run(dir, new Random(seed));
            } catch (Exception | Error failure) {
                throw new AssertionError("seed " + seed, failure);
            }
            try (Stream<Path> files = Files.walk(dir)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        SimulatedHours.print("TierModelTest", FIRST_SEED, seed - 1, nanos);
        assertThat(seen).as("the runs must reach every state").containsExactly(SegmentState.values());
    }

    /** Returns the virtual time that has passed. */
    private long run(Path dir, Random random) throws Exception {
        FakeBroker broker = new FakeBroker(dir, 1, 1 + random.nextInt(2), (2L + random.nextInt(3)) << 20);
        Log[] logs = new Log[PARTITIONS];
        for (int i = 0; i < PARTITIONS; i++) {
            logs[i] = new Log(broker.partition("topic-" + i));
        }
        for (int step = 0; step < STEPS; step++) {
            Log log = logs[random.nextInt(PARTITIONS)];
            operate(broker, logs, log, random);
            check(broker, logs);
            broker.pass(random.nextLong(PAUSE_NANOS));
        }
        for (Log log : logs) {
            deleteFrom(broker, log, Long.MIN_VALUE);
        }
        broker.evict();
        assertThat(broker.ssdFiles()).isEmpty();
        assertThat(broker.tier().snapshot().ssdUsedBytes()).as("reserved bytes").isZero();
        assertThat(broker.tier().cachedBytes()).as("reserved bytes").isZero();
        return broker.nowNanos();
    }

    private void operate(FakeBroker broker, Log[] logs, Log log, Random random) throws Exception {
        int dice = random.nextInt(100);
        if (log.channels.isEmpty() || dice < 20) {
            roll(broker, log, random);
        } else if (dice < 45) {
            append(log, random);
        } else if (dice < 60) {
            broker.step();
        } else if (dice < 70) {
            broker.copy();
        } else if (dice < 80) {
            broker.evict();
        } else if (dice < 88) {
            truncate(broker, log, random);
        } else if (dice < 93) {
            deleteOldest(broker, log);
        } else if (dice < 97) {
            TierMode[] modes = TierMode.values();
            broker.tier().reconfigure(FakeBroker.dynamicSettings(modes[random.nextInt(modes.length)]));
            broker.run("drain");
        } else {
            restart(broker, logs);
        }
    }

    private static void roll(FakeBroker broker, Log log, Random random) throws IOException {
        long base = log.bytes.isEmpty() ? random.nextInt(10) : log.bytes.lastKey() + 1 + random.nextInt(10);
        log.channels.put(base, broker.open(FakeBroker.segment(log.dir, base)));
        log.bytes.put(base, new byte[0]);
    }

    private static void append(Log log, Random random) throws IOException {
        byte[] more = new byte[random.nextInt(200_000)];
        random.nextBytes(more);
        byte[] old = log.bytes.lastEntry().getValue();
        byte[] grown = Arrays.copyOf(old, old.length + more.length);
        System.arraycopy(more, 0, grown, old.length, more.length);
        log.bytes.put(log.bytes.lastKey(), grown);
        FakeBroker.append(log.channels.lastEntry().getValue(), more);
    }

    private static void truncate(FakeBroker broker, Log log, Random random) throws IOException {
        Long[] bases = log.bytes.keySet().toArray(Long[]::new);
        long base = bases[random.nextInt(bases.length)];
        deleteFrom(broker, log, base + 1);
        byte[] old = log.bytes.lastEntry().getValue();
        int length = random.nextInt(old.length + 1);
        log.bytes.put(base, Arrays.copyOf(old, length));
        log.channels.lastEntry().getValue().truncate(length);
    }

    private static void deleteFrom(FakeBroker broker, Log log, long firstBase) throws IOException {
        while (!log.bytes.isEmpty() && log.bytes.lastKey() >= firstBase) {
            delete(broker, log, log.bytes.lastKey());
        }
    }

    private static void deleteOldest(FakeBroker broker, Log log) throws IOException {
        delete(broker, log, log.bytes.firstKey());
    }

    private static void delete(FakeBroker broker, Log log, long base) throws IOException {
        log.bytes.remove(base);
        FileChannel channel = log.channels.remove(base);
        if (channel == null) {
            throw new AssertionError("no channel for " + base);
        }
        Path path = FakeBroker.segment(log.dir, base);
        Path deleted = path.resolveSibling(path.getFileName() + ".deleted");
        broker.rename(channel, path, deleted);
        broker.delete(channel, deleted);
    }

    private static void restart(FakeBroker broker, Log[] logs) throws IOException {
        broker.restart();
        for (Log log : logs) {
            for (Map.Entry<Long, FileChannel> segment : log.channels.entrySet()) {
                segment.getValue().close();
                segment.setValue(broker.open(FakeBroker.segment(log.dir, segment.getKey())));
            }
        }
    }

    private void check(FakeBroker broker, Log[] logs) throws IOException {
        long onSsd = 0;
        for (Log log : logs) {
            for (Long base : log.bytes.keySet()) {
                FileChannel channel = log.channels.get(base);
                byte[] expected = log.bytes.get(base);
                Path path = FakeBroker.segment(log.dir, base);
                assertThat(channel).isNotNull();
                if (channel != null) {
                    assertThat(FakeBroker.read(channel)).as(path.toString()).isEqualTo(expected);
                }
                assertThat(Files.readAllBytes(path)).as("what stock would read").isEqualTo(expected);
                SegmentState state = broker.stateOf(path);
                seen.add(state);
                if (state == SegmentState.ONLY_CACHE) {
                    assertThat(path).isSymbolicLink();
                } else {
                    assertThat(Files.isSymbolicLink(path))
                            .as(path + " is a link")
                            .isFalse();
                }
                onSsd += state == SegmentState.WITHOUT_CACHE ? 0 : 1;
            }
        }
        TierSnapshot snapshot = broker.tier().snapshot();
        assertThat(broker.tier().cachedBytes())
                .as("reserved bytes")
                .isEqualTo(snapshot.bytes().get(SegmentState.CACHED));
        assertThat((long) broker.ssdFiles().size()).as("SSD files").isGreaterThanOrEqualTo(onSsd);
    }
}
