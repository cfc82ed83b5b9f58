/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.disk.Hdd;

/**
 * What the copies to one HDD may move: as much as the pace of this HDD allows, the ceiling that it shares with the
 * broker's other HDDs, and the one that what is written to this HDD shares with all else that is. Not thread safe: one
 * copier spends it.
 */
final class CopyBudget {
    private final Hdd hdd;
    private final RateLimiter broker;
    private final RateLimiter device;
    private final RateLimiter own;
    private final CopyPace pace = new CopyPace();

    /**
     * @param broker shared by all HDDs
     * @param device shared by all that is written to this HDD
     */
    CopyBudget(Hdd hdd, RateLimiter broker, RateLimiter device, long burstNanos) {
        this.hdd = hdd;
        this.broker = broker;
        this.device = device;
        this.own = new RateLimiter(hdd.copyBytesPerSecond(), burstNanos);
    }

    /** Adapts the pace, and answers how long to wait before anything more is moved. */
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

    /** So many bytes have been written to the HDD. */
    void written(long bytes, long nowNanos) {
        device.reserve(bytes, nowNanos);
        readBack(bytes, nowNanos);
    }

    /** So many bytes have been read back from the HDD. */
    void readBack(long bytes, long nowNanos) {
        own.reserve(bytes, nowNanos);
        broker.reserve(bytes, nowNanos);
    }
}
