/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.TimeUnit;

/**
 * How late timeouts were handed out, in the last one to two minutes. Thread safe.
 *
 * <p>It counts by magnitude, with eight steps for each doubling, so its answers are up to one eighth too high.
 */
public final class Lateness {
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;
    /** Enough for the largest long. */
    private static final int BUCKETS = STEPS * Long.SIZE;

    private long[] recent = new long[BUCKETS];
    private long[] before = new long[BUCKETS];
    private long recentUntilNanos;

    /** @param nowNanos the time */
    public Lateness(long nowNanos) {
        recentUntilNanos = nowNanos + WINDOW_NANOS;
    }

    /** Records one timeout; a negative value counts as 0. */
    public synchronized void record(long lateNanos, long nowNanos) {
        turn(nowNanos);
        recent[bucket(Math.max(0, lateNanos))]++;
    }

    /**
     * The lateness that at most a part of {@code 1 - quantile} has exceeded; 0 if no timeout was handed out.
     *
     * @param quantile above 0, at most 1
     */
    public synchronized long nanos(double quantile, long nowNanos) {
        turn(nowNanos);
        long all = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            all += recent[bucket] + before[bucket];
        }
        long left = (long) Math.ceil(all * quantile);
        int bucket = 0;
        while (left > 0) {
            left -= recent[bucket] + before[bucket];
            bucket++;
        }
        return bucket == 0 ? 0 : most(bucket - 1);
    }

    private void turn(long nowNanos) {
        long overNanos = nowNanos - recentUntilNanos;
        if (overNanos >= 0) {
            before = overNanos < WINDOW_NANOS ? recent : new long[BUCKETS];
            recent = new long[BUCKETS];
            recentUntilNanos = nowNanos + WINDOW_NANOS;
        }
    }

    private static int bucket(long value) {
        int doublings = Math.max(0, Long.SIZE - STEP_BITS - 1 - Long.numberOfLeadingZeros(value));
        return doublings * STEPS + (int) (value >>> doublings);
    }

    /** The largest value of a bucket. */
    private static long most(int bucket) {
        int doublings = Math.max(0, bucket / STEPS - 1);
        return ((bucket - (long) doublings * STEPS + 1) << doublings) - 1;
    }
}
