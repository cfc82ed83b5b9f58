/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.ReadWaits;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pace against a simulated HDD with readers, and an SSD that fills. */
class CopyPaceTest {
    private static final long MIB = 1 << 20;
    private static final long FLOOR = 10 * MIB;
    private static final long CEILING = 100 * MIB;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double TICK_SECONDS = TICK_NANOS / 1e9;

    private final CopyPace pace = new CopyPace();
    private final Disk disk = new Disk();
    private long floor = FLOOR;
    private long ceiling = CEILING;
    private double pressure;
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5); // wraps on the way
    private long bytesPerSecond = CEILING;

    /**
     * An HDD of 150 MB/s that takes 12 ms for what a reader asks for, twice as long when it is half busy with a copy,
     * and serves its readers in turn.
     */
    private static final class Disk {
        private static final double SERVICE_NANOS = 12e6;
        private static final double BYTES_PER_SECOND = 150e6;

        private int readers;
        private double underWay;
        private ReadWaits waits = ReadWaits.NONE;

        double waitNanos(double copied) {
            return readers * SERVICE_NANOS / Math.max(0.05, 1 - copied / BYTES_PER_SECOND);
        }

        void run(double copiedBytesPerSecond) {
            if (readers > 0) {
                double each = waitNanos(copiedBytesPerSecond);
                underWay += readers * TICK_NANOS / each;
                long ended = (long) underWay;
                underWay -= (double) ended;
                waits = waits.plus(new ReadWaits(ended, (long) (ended * each)));
            }
        }
    }

    private void tick() {
        disk.run((double) bytesPerSecond);
        nowNanos += TICK_NANOS;
        bytesPerSecond = pace.bytesPerSecond(floor, ceiling, disk.waits, pressure, nowNanos);
    }

    private void run(double seconds) {
        for (double passed = 0; passed < seconds; passed += TICK_SECONDS) {
            tick();
        }
    }

    @Test
    void withoutReadersItRunsAtTheCeilingFromTheStart() {
        for (int i = 0; i < 100; i++) {
            tick();
            assertThat(bytesPerSecond).isEqualTo(CEILING);
        }
    }

    @Test
    void manyReadersPressItToTheFloorWithinSecondsAndKeepItThere() {
        disk.readers = 4;
        run(3);
        for (int i = 0; i < 1000; i++) {
            tick();
            assertThat((double) bytesPerSecond).isCloseTo(FLOOR, within(0.01 * FLOOR));
        }
    }

    @Test
    void backAtTheCeilingSoonAfterTheReadersStop() {
        disk.readers = 4;
        run(60);
        disk.readers = 0;
        run(5);
        assertThat(bytesPerSecond).isEqualTo(CEILING);
    }

    @Test
    void oneReaderWaitsAboutAsLongAsItMayAndTheCopiesTakeTheRest() {
        disk.readers = 1;
        run(20);
        ReadWaits before = disk.waits;
        double copied = 0;
        int ticks = 2000;
        for (int i = 0; i < ticks; i++) {
            tick();
            copied += (double) bytesPerSecond;
        }
        double meanWaitNanos = disk.waits.since(before).meanNanos();
        assertThat(meanWaitNanos).isBetween(0.6 * CopyPace.TARGET_WAIT_NANOS, 1.2 * CopyPace.TARGET_WAIT_NANOS);
        assertThat(copied / ticks).isBetween(3.0 * FLOOR, 0.7 * CEILING);
    }

    /** Readers that a copy has starved are seldom heard of; the silence must not be taken for peace. */
    @Test
    void givesWayAlsoWhenReadsTakeLongerThanItLooks() {
        ceiling = 1000 * MIB;
        disk.readers = 1;
        run(20);
        double copied = 0;
        for (int i = 0; i < 2000; i++) {
            tick();
            copied += (double) bytesPerSecond;
        }
        assertThat(copied / 2000).isLessThan(Disk.BYTES_PER_SECOND);
    }

    @Test
    void readsFromThePageCacheDoNotSlowItDown() {
        ReadStats reads = new ReadStats(() -> nowNanos);
        for (int i = 0; i < 1000; i++) {
            long begunNanos = reads.begin(Device.HDD);
            nowNanos += TimeUnit.MICROSECONDS.toNanos(900);
            reads.end(Device.HDD, begunNanos, 100);
        }
        assertThat(reads.hddWaits()).isEqualTo(ReadWaits.NONE);
        assertThat(reads.use(Device.HDD).readBytes()).isEqualTo(100_000);
    }

    @Test
    void pressureLiftsTheFloorAndAFullSsdDisregardsReaders() {
        disk.readers = 4;
        run(10);
        long before = bytesPerSecond;
        for (int percent = 0; percent <= 100; percent++) {
            pressure = percent / 100.0;
            tick();
            assertThat(bytesPerSecond).isGreaterThanOrEqualTo(before);
            before = bytesPerSecond;
        }
        assertThat(bytesPerSecond).isEqualTo(CEILING);
        pressure = 0;
        tick();
        assertThat((double) bytesPerSecond).isCloseTo(FLOOR, within(0.02 * FLOOR));
    }

    /** 30 MiB/s come in and are copied at the pace; evicting what is copied is free. */
    @Test
    void underConstantReadsTheSsdFillsOnlyUntilCopiesKeepUp() {
        disk.readers = 4;
        double capacity = 2000.0 * MIB;
        double held = 0;
        for (int i = 0; i < 20_000; i++) {
            held = Math.max(0, held + (30.0 * MIB - bytesPerSecond) * TICK_SECONDS);
            pressure = Math.max(0, Math.min(1, (held / capacity - 0.8) / 0.1));
            tick();
        }
        assertThat(held / capacity).isBetween(0.8, 0.9);
        assertThat((double) bytesPerSecond).isCloseTo(30.0 * MIB, within(0.5 * MIB));
    }

    @Test
    void changedSettingsHoldAtTheNextStep() {
        run(1);
        ceiling = 1000 * MIB;
        tick();
        assertThat(bytesPerSecond).isEqualTo(1000 * MIB);
        disk.readers = 4;
        run(10);
        floor = 20 * MIB;
        tick();
        assertThat((double) bytesPerSecond).isCloseTo(20 * MIB, within(1.0 * MIB));
        floor = 1;
        ceiling = 1;
        tick();
        assertThat(bytesPerSecond).isEqualTo(1);
    }

    @Test
    void readersOfLongAgoDoNotSlowACopierThatDecidesEverySecond() {
        disk.readers = 4;
        run(10);
        disk.readers = 0;
        for (int second = 0; second < 5; second++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            bytesPerSecond = pace.bytesPerSecond(floor, ceiling, disk.waits, pressure, nowNanos);
        }
        assertThat(bytesPerSecond).isEqualTo(CEILING);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void neverBelowTheFloorNorAboveTheCeiling(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 5000; i++) {
            if (random.nextInt(10) == 0) {
                floor = 1 + random.nextLong(random.nextBoolean() ? 100 : Long.MAX_VALUE - 1);
                ceiling = floor + random.nextLong(Long.MAX_VALUE - floor);
                pressure = random.nextInt(3) == 0 ? random.nextInt(2) : random.nextDouble();
                disk.readers = random.nextInt(6);
            }
            tick();
            assertThat(bytesPerSecond).as("seed " + seed + ", step " + i).isBetween(floor, ceiling);
            if (pressure == 1) {
                assertThat(bytesPerSecond).as("seed " + seed + ", step " + i).isEqualTo(ceiling);
            }
        }
    }
}
