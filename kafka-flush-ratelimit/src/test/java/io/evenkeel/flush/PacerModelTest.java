/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.flush.SimulatedDevice.MS;
import static io.evenkeel.flush.SimulatedDevice.SECOND;
import static io.evenkeel.flush.SimulatedDevice.STEP;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.flush.SimulatedDevice.Log;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random loads on a device of a given speed, in simulated time: producers ask for room, the worker flushes as the pacer
 * says.
 *
 * <p>{@code -Dseeds} says how many runs, or {@code -Dsimulated.hours} how many hours, {@code -Dseed} the first seed; a
 * failure names its seed.
 */
class PacerModelTest {
    /** With a seed, the tests together pass some eight minutes or more. */
    private static final int SEEDS_PER_HOUR = 8;

    private static final int SEEDS =
            Math.max(Integer.getInteger("seeds", 20), SEEDS_PER_HOUR * Integer.getInteger("simulated.hours", 0));
    private static final long FIRST_SEED = Long.getLong("seed", 1);

    /** What FlushBudget owes at the most, earned at its share of the time. */
    private static final long LONGEST_BETWEEN_FLUSHES = 600 * SECOND;

    private interface Run {
        /** Returns the virtual time that has passed. */
        long with(Random random);
    }

    private static void forEachSeed(String test, Run run) {
        long seed = FIRST_SEED;
        long nanos = 0;
        for (; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                nanos += run.with(new Random(seed));
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        System.out.printf(
                "simulated flush %.1f h, seeds %d to %d: PacerModelTest, %s%n",
                nanos / 3600.0 / SECOND, FIRST_SEED, seed - 1, test);
    }

    /** On a device that is fast enough no append waits, no log starves, and no byte gets as old as the bound. */
    @Test
    void theBoundsHoldAndNoAppendWaitsOnADeviceThatIsFastEnough() {
        forEachSeed("a fast device", random -> {
            FlushSettings settings = settings(random, FlushSettings.UNLIMITED);
            SimulatedDevice device = device(random, settings, 0.5);
            device.bytesPerSecond = Math.max(device.bytesPerSecond, 50e6); // as any disk of a broker
            load(random, device, 60 * SECOND);
            for (Log log : device.logs) {
                assertThat(log.waits).isZero();
                assertThat(log.oldestFlushedNanos).isLessThanOrEqualTo(settings.maxUnflushedMs() * MS);
            }
            return 60 * SECOND;
        });
    }

    /**
     * With any device and any ceiling the bound in bytes holds, because producers wait, and that ends when the device
     * can follow. A device of less than a megabyte per second takes seconds for a flush, and FlushBudget then keeps
     * flushes up to ten minutes apart (seed 36): each log gets its turn.
     */
    @Test
    void theBoundsHoldOnAnyDeviceAndWaitsEnd() {
        forEachSeed("any device", random -> {
            FlushSettings settings = settings(random, random.nextBoolean() ? FlushSettings.UNLIMITED : 5_000_000);
            SimulatedDevice device = device(random, settings, 0.2 + random.nextDouble() * 3);
            device.frozenUntil = 10 * SECOND;
            load(random, device, 30 * SECOND);
            long now = 30 * SECOND;
            long end = now + 3600 * SECOND + device.logs.size() * LONGEST_BETWEEN_FLUSHES;
            while (device.logs.stream().anyMatch(log -> log.owed > 0 || log.unflushed.pending() != null)) {
                now += STEP;
                assertThat(now).as("no log starves").isLessThan(end);
                for (Log log : device.logs) {
                    if (log.owed > 0) {
                        device.append(log, 0, now);
                    }
                }
                device.work(now);
                device.checkBounds();
            }
            return now;
        });
    }

    /**
     * However long the device has hung before, or lagged behind the ceiling: in no span of time is more begun than the
     * ceiling allows, one flush, and what comes in between two looks.
     */
    @Test
    void anOverloadIsNotFollowedByABurstAboveTheCeiling() {
        forEachSeed("overload", random -> {
            long ceiling = 5_000_000;
            FlushSettings settings = settings(random, ceiling);
            SimulatedDevice device = device(random, settings, 0.2 + random.nextDouble() * 3);
            device.frozenUntil = 10 * SECOND;
            List<Long> flushed = new ArrayList<>();
            for (long now = 0; now < 60 * SECOND; now += STEP) {
                if (now == 30 * SECOND) {
                    device.bytesPerSecond = 1e9; // and is fast from then on
                }
                for (Log log : device.logs) {
                    device.append(log, (long) (log.bytesPerSecond * STEP / SECOND), now);
                }
                device.work(now);
                flushed.add(device.flushedBytes);
            }
            for (int from = 0; from < flushed.size(); from += 10) {
                for (int to = from + 10; to < flushed.size(); to += 100) {
                    double seconds = (to - from) * (double) STEP / SECOND;
                    long bytes = flushed.get(to) - flushed.get(from);
                    long most = (long) (ceiling * (seconds + 0.2)) + 2 * device.largestFlush;
                    if (bytes > most) { // assertThat() takes too long here
                        throw new AssertionError(bytes + " bytes from " + from + " to " + to + ", more than " + most);
                    }
                }
            }
            return 60 * SECOND;
        });
    }

    /**
     * All bytes of one instant are flushed by their due times, and no faster than by the best of all plans, but for a
     * twentieth, or for the 5 ms that a wait lasts at least, as a part of the time that is left to the nearest due
     * time: what is earned meanwhile beyond the largest flush is forgotten (seeds 104, 205 and 15002044). At most it is
     * twice that rate, for 5 ms.
     */
    @Test
    void theRateIsNoHigherThanItMustBe() {
        forEachSeed("rate", random -> {
            long maxMs = 20_000;
            FlushSettings settings =
                    new FlushSettings(1L << 40, maxMs, Long.MAX_VALUE, FlushSettings.UNLIMITED, 0, true, false);
            Pacer<Integer> pacer = new Pacer<>();
            long start = random.nextLong();
            List<Pacer.Candidate<Integer>> unflushed = new ArrayList<>();
            int count = 1 + random.nextInt(40);
            for (int i = 0; i < count; i++) {
                long since = start - random.nextLong(maxMs * MS / 2 - 100 * MS);
                long bytes = random.nextLong(1, 10_000_000);
                unflushed.add(new Pacer.Candidate<>(i, new UnflushedLog.Pending(bytes, since, since, false, 0, 0), 0));
            }
            double best = lowestRate(unflushed, maxMs * MS / 2, start);
            long largest = unflushed.stream()
                    .mapToLong(candidate -> candidate.pending().bytes())
                    .max()
                    .orElseThrow();
            double flushed = 0;
            long now = start;
            while (!unflushed.isEmpty()) {
                Pacer.Turn<Integer> turn = pacer.next(unflushed, settings, true, now);
                assertThat(turn.bytesPerSecond())
                        .isLessThanOrEqualTo(best * Math.max(1.05, 1 + 5.0 * MS / nearestNanos(unflushed, maxMs, now)));
                for (Pacer.Candidate<Integer> candidate : List.copyOf(unflushed)) {
                    if (turn.logs().contains(candidate.log())) {
                        flushed += candidate.pending().bytes();
                        assertThat(now - candidate.pending().sinceNanos())
                                .isLessThanOrEqualTo(maxMs * MS / 2 + 10 * MS);
                        unflushed.remove(candidate);
                    }
                }
                double seconds = (now - start) / (double) SECOND;
                assertThat(flushed).isLessThanOrEqualTo(best * (seconds + 0.02) + largest);
                now += turn.waitNanos();
            }
            return now - start;
        });
    }

    /** Until a log is due, or 5 ms: no wait is shorter. */
    private static long nearestNanos(List<Pacer.Candidate<Integer>> unflushed, long maxMs, long now) {
        return Math.max(
                5 * MS,
                unflushed.stream()
                        .mapToLong(candidate -> leftNanos(candidate, maxMs * MS / 2, now))
                        .min()
                        .orElseThrow());
    }

    /** By trying each due time: what is due by then, in the time until then. */
    private static double lowestRate(List<Pacer.Candidate<Integer>> unflushed, long halfNanos, long now) {
        return unflushed.stream()
                .map(candidate -> leftNanos(candidate, halfNanos, now))
                .mapToDouble(left -> unflushed.stream()
                                .filter(other -> leftNanos(other, halfNanos, now) <= left)
                                .mapToDouble(other -> other.pending().bytes())
                                .sum()
                        / left
                        * SECOND)
                .max()
                .orElseThrow();
    }

    private static long leftNanos(Pacer.Candidate<Integer> candidate, long halfNanos, long now) {
        return candidate.pending().sinceNanos() + halfNanos - now;
    }

    /** Bursts in, an even flow out: the highest second is much nearer to the mean than that of the load. */
    @Test
    void burstsAreSpread() {
        assertThat(peakToMeanOfWaves(0)).as("the load's own is 2.7").isLessThan(1.5);
    }

    /** What came in long ago, and was much more, does not matter any more. */
    @Test
    void burstsAreSpreadAfterABulkLoad() {
        assertThat(peakToMeanOfWaves(30)).as("the load's own is 2.7").isLessThan(1.5);
    }

    /**
     * Without syncs, as WritebackModelTest has them: of what is flushed in 180 s of 5 s at 60 MB/s and 15 s at 10 MB/s,
     * after a minute of it, after so much at 90 MB/s.
     */
    private static double peakToMeanOfWaves(int bulkSeconds) {
        FlushSettings settings = new FlushSettings(64 << 20, 30_000, 2 << 20, FlushSettings.UNLIMITED, 0, true, false);
        Random random = new Random(1);
        SimulatedDevice device = new SimulatedDevice(settings, 100_000_000);
        device.maySync = false;
        for (int i = 0; i < 64; i++) {
            device.logs.add(new Log(random, 0));
        }
        List<Long> seconds = new ArrayList<>();
        long before = 0;
        long bulk = bulkSeconds * SECOND;
        for (long now = 0; now < bulk + 240 * SECOND; now += STEP) {
            double rate = now < bulk ? 90e6 : (now - bulk) / SECOND % 20 < 5 ? 60e6 : 10e6;
            Log log = device.logs.get(random.nextInt(device.logs.size()));
            device.append(log, (long) (rate * STEP / SECOND), now);
            device.work(now);
            device.checkBounds();
            if (now % SECOND == 0 && now >= bulk + 60 * SECOND) {
                seconds.add(device.flushedBytes - before);
            }
            if (now % SECOND == 0) {
                before = device.flushedBytes;
            }
        }
        double mean = seconds.stream().mapToLong(Long::longValue).average().orElseThrow();
        return seconds.stream().max(Comparator.naturalOrder()).orElseThrow() / mean;
    }

    private static FlushSettings settings(Random random, long ceiling) {
        long maxMs = random.nextLong(500, 20_000);
        return new FlushSettings(
                (1 + random.nextInt(64)) * 1_000_000L, maxMs, 1 + random.nextInt(4_000_000), ceiling, 0, true, false);
    }

    /** @param use of the device's speed by the load, over all */
    private static SimulatedDevice device(Random random, FlushSettings settings, double use) {
        double load = 1_000_000 + random.nextInt(20_000_000);
        SimulatedDevice device = new SimulatedDevice(settings, load / use);
        int count = 1 + random.nextInt(12);
        double[] shares = random.doubles(count, 0.01, 1).toArray();
        double sum = 0;
        for (double share : shares) {
            sum += share;
        }
        for (double share : shares) {
            // a log cannot use up its half of the bound in less time than the device needs for all of them
            double most = settings.maxUnflushedBytes() / 8.0;
            device.logs.add(new Log(random, Math.min(most, load * share / sum)));
        }
        return device;
    }

    private static void load(Random random, SimulatedDevice device, long untilNanos) {
        for (long now = 0; now < untilNanos; now += STEP) {
            for (Log log : device.logs) {
                if (random.nextInt(4) == 0) {
                    device.append(log, 1 + (long) (log.bytesPerSecond * 4 * STEP / SECOND), now);
                }
            }
            device.work(now);
            device.checkBounds();
        }
    }
}
