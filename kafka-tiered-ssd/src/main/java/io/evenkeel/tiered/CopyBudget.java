/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.disk.Hdd;

/**
 * Limits the bytes that the copies to one HDD move, by three rates: the pace of this HDD, the ceiling of all copies of
 * the broker, and the ceiling of all writes to this HDD. Not thread safe: one copier spends it.
 */
final class CopyBudget {
    private final Hdd hdd;
    private final RateLimiter broker;
    private final RateLimiter device;
    private final RateLimiter own;
    private final CopyPace pace = new CopyPace();

    /**
     * @param broker the rate that all HDDs share
     * @param device the rate that all writes to this HDD share
     */
    CopyBudget(Hdd hdd, RateLimiter broker, RateLimiter device, long burstNanos) {
        this.hdd = hdd;
        this.broker = broker;
        this.device = device;
        this.own = new RateLimiter(hdd.copyBytesPerSecond(), burstNanos);
    }

    /**
     * Adapts the pace.
     *
     * @return the time to wait before more bytes are moved
     */
    long waitNanos(DynamicTierSettings settings, long nowNanos) {
        long ceiling = settings.copyBytesPerSecond();
        long bytesPerSecond = pace.bytesPerSecond(
                settings.copyMinBytesPerSecond(),
                ceiling,
                hdd.counts().hddWaits(),
                hdd.copyPressure(settings),
                nowNanos);
        hdd.copyBytesPerSecond(bytesPerSecond);
        own.rate(bytesPerSecond, nowNanos);
        broker.rate(ceiling, nowNanos);
        long copyNanos = Math.max(own.waitNanos(nowNanos), broker.waitNanos(nowNanos));
        return Math.max(copyNanos, device.waitNanos(nowNanos));
    }

    /** Counts bytes that were written to the HDD. */
    void written(long bytes, long nowNanos) {
        device.reserve(bytes, nowNanos);
        readBack(bytes, nowNanos);
    }

    /** Counts bytes that were read back from the HDD. */
    void readBack(long bytes, long nowNanos) {
        own.reserve(bytes, nowNanos);
        broker.reserve(bytes, nowNanos);
    }
}
