/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.flush.SimulatedDevice.MS;
import static io.evenkeel.flush.SimulatedDevice.SECOND;
import static io.evenkeel.flush.SimulatedDevice.STEP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How even the writes of a simulated device are, with the kernel's own writeback: the highest second over the mean. */
@Tag("slow")
class WritebackModelTest {
    private static final FlushSettings SETTINGS = settings(FlushSettings.UNLIMITED);
    private static final int LOGS = 64;
    private static final long WARMUP = 60 * SECOND;

    private final Random random = new Random(1);
    private final SimulatedDevice device = new SimulatedDevice(SETTINGS, 100_000_000);

    private static FlushSettings settings(long deviceBytesPerSecond) {
        return new FlushSettings(64 << 20, 30_000, 2 << 20, deviceBytesPerSecond, 0, true, false);
    }

    private static long waves(long now) {
        return now / SECOND % 20 < 5 ? 60_000_000 : 10_000_000;
    }

    /** Bursts in, an even flow out: the highest second is much nearer to the mean than that of the load. */
    @Test
    void wavesAreSpread() {
        assertThat(peakToMean(LOGS, 0, WritebackModelTest::waves))
                .as("the load's own is 2.7")
                .isLessThan(1.6);
        assertThat(device.syncs).isGreaterThan(5);
    }

    /** A much larger inflow long ago does not matter any more. */
    @Test
    void wavesAreSpreadAfterABulkLoad() {
        long bulk = 30 * SECOND;
        assertThat(peakToMean(LOGS, bulk, now -> now < bulk ? 90_000_000 : waves(now - bulk)))
                .isLessThan(1.6);
    }

    /** A wave may begin at any time after a syncfs, also with a ceiling just above the mean. */
    @Test
    void wavesAreSpreadWhereverTheyBegin() {
        for (long ceiling : new long[] {FlushSettings.UNLIMITED, 30_000_000}) {
            for (int seed = 0; seed < 40; seed++) {
                random.setSeed(seed);
                long offset = random.nextInt(20) * SECOND;
                SimulatedDevice device = new SimulatedDevice(settings(ceiling), 100_000_000);
                assertThat(peakToMean(device, LOGS, 0, now -> waves(now + offset)))
                        .as("ceiling %d, seed %d", ceiling, seed)
                        .isLessThan(1.7);
            }
        }
    }

    @Test
    void aSteadyLoadIsWrittenSteadily() {
        assertThat(peakToMean(LOGS, 0, now -> 20_000_000)).isLessThan(1.42);
        assertThat(device.syncs).isGreaterThan(5);
    }

    /** Not every wave can be drained before the kernel writes, but few bytes of it are left for the kernel. */
    @Test
    void aLoadWithoutAnyOrderIsMuchSmootherThanTheKernelWouldMakeIt() {
        long[] bytesPerSecond = random.longs(24, 0, 40_000_000).toArray();
        LongUnaryOperator load = now -> bytesPerSecond[(int) (now / (10 * SECOND) % bytesPerSecond.length)];
        SimulatedDevice unsynced = new SimulatedDevice(SETTINGS, 100_000_000);
        unsynced.maySync = false;
        assertThat(peakToMean(device, LOGS, 0, load)).isLessThan(peakToMean(unsynced, LOGS, 0, load) / 2);
    }

    /** Without syncfs the kernel writes all dirty pages every half minute. */
    @Test
    void withoutSyncsTheKernelWritesInBursts() {
        device.maySync = false;
        assertThat(peakToMean(LOGS, 0, WritebackModelTest::waves)).isGreaterThan(3);
        assertThat(device.syncs).isZero();
    }

    /** Draining thousands of logs would take thousands of flushes. */
    @Test
    void manyLogsAreNotFlushedMoreOftenForIt() {
        peakToMean(4_000, 0, now -> 5_000_000);
        assertThat(device.syncs).isZero();
    }

    /** Over 180 s of the load, in bytes a second at each instant, after a time and a minute of it. */
    private double peakToMean(int logs, long beforeNanos, LongUnaryOperator load) {
        return peakToMean(device, logs, beforeNanos, load);
    }

    private double peakToMean(SimulatedDevice device, int logs, long beforeNanos, LongUnaryOperator load) {
        for (int i = 0; i < logs; i++) {
            device.logs.add(new SimulatedDevice.Log(random, 0));
        }
        List<Long> written = new ArrayList<>();
        long from = beforeNanos + WARMUP;
        for (long now = 0; now <= from + 180 * SECOND; now += STEP) {
            SimulatedDevice.Log log = device.logs.get(random.nextInt(logs));
            device.append(log, load.applyAsLong(now) * STEP / SECOND, now);
            device.work(now);
            device.checkBounds();
            if (now == from) {
                device.syncs = 0; // at the start few logs are unflushed yet
            }
            if (now >= from && now % (100 * MS) == 0) {
                written.add(device.writtenBytes);
            }
        }
        long peak = 0;
        for (int end = 10; end < written.size(); end++) {
            peak = Math.max(peak, written.get(end) - written.get(end - 10));
        }
        double mean = (written.get(written.size() - 1) - written.get(0)) / 180.0;
        return peak / mean;
    }
}
