/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.concurrent.TimeUnit;

/**
 * How much of a device's time flushes may cost beyond the writing of their bytes. Not thread safe; time is an argument.
 *
 * <p>The bytes have to be written anyway, by the kernel if not by a flush. What a flush costs on top is seeks and
 * commits of the journal. So a flush is charged with the time that it took, less the time in which the disk writes its
 * bytes in sequence. What is charged must not exceed a quarter of the time.
 *
 * <p>A disk that is busy with other writes takes seconds for a flush, and appends to all its logs wait as long. So
 * where flushes are that slow, they become rare: twice as slow is charged eight times as much. The median of the last
 * three says how slow they are, because one alone may have met a moment in which the disk hung.
 */
final class FlushBudget {
    /** The part of the time. */
    private static final double SHARE = 0.25;
    /** An HDD writes faster than that in sequence; a small volume in a cloud may not. */
    private static final double MOST_BYTES_PER_NANO = 50e6 / TimeUnit.SECONDS.toNanos(1);
    /** The seeks of a flush of this size hardly matter. */
    private static final long LARGE_BYTES = 4L << 20;
    /** From here on, a flush holds appends up more than its part of the time says. */
    private static final double SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** The disk may have become quicker. */
    private static final double MOST_OWED_NANOS = SHARE * TimeUnit.MINUTES.toNanos(10);
    /** What is not used is kept for a while, so that one flush at a time is always affordable. */
    private static final double MOST_SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Taken for the mean before the first flush. */
    private static final double FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** How fast the means follow. */
    private static final double NEWEST = 0.1;

    /** Of the last three flushes. */
    private final double[] costNanos = {FIRST_NANOS, FIRST_NANOS, FIRST_NANOS};

    private int flushes;
    private double savedNanos = MOST_SAVED_NANOS;
    private double meanNanos = FIRST_NANOS;
    private double bytesPerNano = MOST_BYTES_PER_NANO;
    private long lastNanos;
    private boolean begun;

    /** Time has passed. */
    void earn(long nowNanos) {
        if (begun) {
            savedNanos = Math.min(MOST_SAVED_NANOS, savedNanos + SHARE * Math.max(0, nowNanos - lastNanos));
        }
        begun = true;
        lastNanos = nowNanos;
    }

    /** A flush is over. */
    void spent(long bytes, long tookNanos) {
        if (isLarge(bytes)) {
            double newest = Math.min(MOST_BYTES_PER_NANO, (double) bytes / Math.max(1, tookNanos));
            bytesPerNano += NEWEST * (newest - bytesPerNano);
        }
        double beyondNanos = Math.max(0, tookNanos - bytes / bytesPerNano);
        costNanos[flushes++ % costNanos.length] = beyondNanos;
        double slowness = Math.max(1, medianCostNanos() / SLOW_NANOS);
        savedNanos = Math.max(-MOST_OWED_NANOS, savedNanos - beyondNanos * slowness * slowness);
        meanNanos += NEWEST * (tookNanos - meanNanos);
    }

    private double medianCostNanos() {
        double low = Math.min(costNanos[0], costNanos[1]);
        double high = Math.max(costNanos[0], costNanos[1]);
        return Math.max(low, Math.min(high, costNanos[2]));
    }

    /** Whether a flush is worth its price, whatever the budget. */
    static boolean isLarge(long bytes) {
        return bytes >= LARGE_BYTES;
    }

    /** Whether another flush is affordable. */
    boolean isOpen() {
        return savedNanos >= 0;
    }

    /** The time until another flush is affordable. */
    long waitNanos() {
        return (long) Math.ceil(Math.max(0, -savedNanos) / SHARE);
    }

    /** How long a flush takes, as a mean of the latest. */
    double meanNanos() {
        return meanNanos;
    }
}
