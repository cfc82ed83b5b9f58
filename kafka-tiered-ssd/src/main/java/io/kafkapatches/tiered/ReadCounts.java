/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What has been read of the segments of one HDD since the start, from which device, and how long readers waited for the HDD.
 * Thread safe, made for many threads that add and few that read.
 *
 * <p>An operation is enclosed in {@link #begin} and {@link #end}. Only those on the HDD look at the clock.
 */
final class ReadCounts {
    /** What took less was in the page cache, and nobody waited: an HDD needs several times as long to find anything. */
    private static final long FROM_DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier nanoClock;
    private final LongAdder ssdBytes = new LongAdder();
    private final LongAdder hddBytes = new LongAdder();
    private final LongAdder hddWaits = new LongAdder();
    private final LongAdder hddWaitNanos = new LongAdder();

    ReadCounts(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Before an operation; the answer is for its {@link #end}. */
    long begin(Device device) {
        return device == Device.SSD ? 0 : nanoClock.getAsLong();
    }

    /** After an operation that read so many bytes; the -1 of an end of file adds nothing. */
    void end(Device device, long begunNanos, long bytes) {
        if (bytes > 0) {
            (device == Device.SSD ? ssdBytes : hddBytes).add(bytes);
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

    long bytes(Device device) {
        return (device == Device.SSD ? ssdBytes : hddBytes).sum();
    }

    /** Of the operations that the page cache could not serve. */
    DiskWaits hddWaits() {
        return new DiskWaits(hddWaits.sum(), hddWaitNanos.sum());
    }
}
