/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DeviceStats;
import io.evenkeel.tiered.api.ReadWaits;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What both devices have done for the readers of one HDD's segments since the start, how often they failed, and how
 * long readers waited for the HDD. Thread safe, made for many threads that add and few that ask.
 *
 * <p>A read is enclosed in {@link #begin} and {@link #end}. Only those on the HDD look at the clock.
 */
public final class ReadStats {
    /** What took less was in the page cache, and nobody waited: an HDD needs several times as long to find anything. */
    private static final long FROM_DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier nanoClock;
    private final Counts ssd = new Counts();
    private final Counts hdd = new Counts();
    private final LongAdder hddWaits = new LongAdder();
    private final LongAdder hddWaitNanos = new LongAdder();

    /** Of one device. */
    private record Counts(LongAdder reads, LongAdder bytes, LongAdder errors) {
        Counts() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    public ReadStats(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Before an operation; the answer is for its {@link #end}. */
    public long begin(Device device) {
        return device == Device.SSD ? 0 : nanoClock.getAsLong();
    }

    /** After an operation that read so many bytes; the -1 of an end of file adds nothing. */
    public void end(Device device, long begunNanos, long bytes) {
        Counts counts = of(device);
        counts.reads.increment();
        if (bytes > 0) {
            counts.bytes.add(bytes);
        }
        if (device == Device.HDD) {
            waited(nanoClock.getAsLong() - begunNanos);
        }
    }

    private void waited(long nanos) {
        if (nanos >= FROM_DISK_NANOS) {
            hddWaits.increment();
            hddWaitNanos.add(nanos);
        }
    }

    /** An operation failed, and the device is to blame. */
    public void failed(Device device) {
        of(device).errors.increment();
    }

    private Counts of(Device device) {
        return device == Device.SSD ? ssd : hdd;
    }

    public DeviceStats use(Device device) {
        Counts counts = of(device);
        return new DeviceStats(counts.reads.sum(), counts.bytes.sum(), counts.errors.sum());
    }

    /** Of the operations that the page cache could not serve. */
    public ReadWaits hddWaits() {
        return new ReadWaits(hddWaits.sum(), hddWaitNanos.sum());
    }
}
