/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import java.util.concurrent.TimeUnit;

/** The rate of appends as a mean over the last minute, in which older ones weigh less. Not thread safe. */
public final class AppendRate {
    private static final double MEMORY_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private boolean begun;
    private long seenNanos;
    private long seenBytes;
    private double bytesPerNano;

    /**
     * The mean now; to be asked often.
     *
     * @param bytes appended since the start
     */
    public double bytesPerSecond(long bytes, long nowNanos) {
        long passedNanos = nowNanos - seenNanos;
        if (begun && passedNanos >= INTERVAL_NANOS) {
            double weight = -Math.expm1(-passedNanos / MEMORY_NANOS);
            bytesPerNano += weight * ((double) (bytes - seenBytes) / passedNanos - bytesPerNano);
        }
        if (!begun || passedNanos >= INTERVAL_NANOS) {
            begun = true;
            seenNanos = nowNanos;
            seenBytes = bytes;
        }
        return bytesPerNano * NANOS_PER_SECOND;
    }
}
