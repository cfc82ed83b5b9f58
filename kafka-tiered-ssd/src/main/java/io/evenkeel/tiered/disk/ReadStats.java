/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DeviceStats;
import io.evenkeel.tiered.api.ReadWaits;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The reads of one HDD's segments since the start, from either device: their number and bytes, the failures, and the
 * time that reads waited for the HDD. Thread safe, made for many threads that count and few that ask.
 *
 * <p>A read is enclosed in {@link #begin} and {@link #end}. Only reads from the HDD use the clock.
 */
public final class ReadStats {
    /** A shorter read came from the page cache: an HDD needs several times as long to position its heads. */
    private static final long FROM_DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier nanoClock;
    private final Counts ssd = new Counts();
    private final Counts hdd = new Counts();
    private final LongAdder hddWaits = new LongAdder();
    private final LongAdder hddWaitNanos = new LongAdder();

    /** The counters of one device. */
    private record Counts(LongAdder reads, LongAdder bytes, LongAdder errors) {
        Counts() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    public ReadStats(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Before an operation; pass the result to {@link #end}. */
    public long begin(Device device) {
        return device == Device.SSD ? 0 : nanoClock.getAsLong();
    }

    /**
     * After an operation that read that many bytes; the -1 of an end of file adds nothing.
     *
     * @return how long it took, where the clock is used
     */
    public long end(Device device, long begunNanos, long bytes) {
        Counts counts = of(device);
        counts.reads.increment();
        if (bytes > 0) {
            counts.bytes.add(bytes);
        }
        if (device == Device.SSD) {
            return 0;
        }
        long nanos = nanoClock.getAsLong() - begunNanos;
        waited(nanos);
        return nanos;
    }

    /** Bytes of a file on that device were served that were in memory already. */
    public void served(Device device, long bytes) {
        Counts counts = of(device);
        counts.reads.increment();
        counts.bytes.add(bytes);
    }

    /** A read of the HDD took that long. */
    public void waited(long nanos) {
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

    /** The waits of the operations that the page cache could not serve. */
    public ReadWaits hddWaits() {
        return new ReadWaits(hddWaits.sum(), hddWaitNanos.sum());
    }
}
