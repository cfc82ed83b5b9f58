/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.tiered.api.DynamicTierSettings;
import java.util.concurrent.TimeUnit;

/**
 * Limits the bytes that are copied to one HDD by two rates: the pace of this HDD, and the ceiling of all writes to it.
 * Not thread safe: one copier spends it.
 */
public final class CopyBudget {
    public static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Hdd hdd;
    private final RateLimiter device;
    private final RateLimiter own;
    private final CopyPace pace = new CopyPace();
    private final AppendRate inflow = new AppendRate();

    /** @param device the rate that all writes to this HDD share */
    public CopyBudget(Hdd hdd, RateLimiter device, long burstNanos) {
        this.hdd = hdd;
        this.device = device;
        this.own = new RateLimiter(hdd.copyBytesPerSecond(), burstNanos);
    }

    /**
     * Adapts the pace.
     *
     * @return the time to wait before more bytes are moved
     */
    public long waitNanos(DynamicTierSettings settings, long nowNanos) {
        long ceiling = settings.copyCeiling(inflow.bytesPerSecond(hdd.appendedBytes(), nowNanos));
        long bytesPerSecond = pace.bytesPerSecond(
                settings.copyMinBytesPerSecond(),
                ceiling,
                hdd.counts().hddWaits(),
                hdd.copyPressure(settings),
                nowNanos);
        hdd.copyBytesPerSecond(bytesPerSecond);
        own.rate(bytesPerSecond, nowNanos);
        return Math.max(own.waitNanos(nowNanos), device.waitNanos(nowNanos));
    }

    /** Counts bytes that were written to the HDD. */
    public void written(long bytes, long nowNanos) {
        device.reserve(bytes, nowNanos);
        readBack(bytes, nowNanos);
    }

    /** Counts bytes that were read back from the HDD. Half a byte for each direction makes one for each byte copied. */
    public void readBack(long bytes, long nowNanos) {
        own.reserve((bytes + 1) / 2, nowNanos);
    }
}
