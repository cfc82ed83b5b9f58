/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

/**
 * The arithmetic of a budget in units per second. Thread safe; never waits and never reads a clock.
 *
 * <p>A reservation is always granted and may go into deficit; the answer says how long the caller has to wait before it
 * spends what it reserved. Unused budget is kept for at most {@code burstNanos}, so an idle limiter does not save up
 * for a burst. The shape is Failsafe's {@code SmoothRateLimiterStats}: arithmetic here, waiting elsewhere.
 */
public final class RateLimiter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long burstNanos;
    private double nanosPerUnit;
    /** The instant at which everything reserved so far is paid for. */
    private long paidUpNanos;

    private boolean started;

    /** @throws IllegalArgumentException unless {@code unitsPerSecond > 0} and {@code burstNanos >= 0} */
    public RateLimiter(long unitsPerSecond, long burstNanos) {
        if (burstNanos < 0) {
            throw new IllegalArgumentException("burstNanos must not be negative: " + burstNanos);
        }
        this.burstNanos = burstNanos;
        this.nanosPerUnit = nanosPerUnit(unitsPerSecond);
    }

    /**
     * Changes the rate. What is reserved and not paid for yet is paid at the new rate, so that a rate that was far too
     * low is forgotten as soon as it is raised.
     *
     * @throws IllegalArgumentException unless {@code unitsPerSecond > 0}
     */
    public synchronized void rate(long unitsPerSecond, long nowNanos) {
        double before = nanosPerUnit;
        nanosPerUnit = nanosPerUnit(unitsPerSecond);
        long owedNanos = waitNanos(nowNanos);
        if (owedNanos > 0) {
            paidUpNanos = nowNanos + (long) (owedNanos * (nanosPerUnit / before));
        }
    }

    private static double nanosPerUnit(long unitsPerSecond) {
        if (unitsPerSecond <= 0) {
            throw new IllegalArgumentException("unitsPerSecond must be positive: " + unitsPerSecond);
        }
        return NANOS_PER_SECOND / unitsPerSecond;
    }

    /** Nanoseconds until all that has been reserved is paid for. */
    public synchronized long waitNanos(long nowNanos) {
        return started ? Math.max(0, paidUpNanos - nowNanos) : 0;
    }

    /**
     * Takes {@code units} from the budget.
     *
     * @return nanoseconds to wait from {@code nowNanos} on before spending them; 0 when they are free at once
     */
    public synchronized long reserve(long units, long nowNanos) {
        if (units < 0) {
            throw new IllegalArgumentException("units must not be negative: " + units);
        }
        long earliestNanos = nowNanos - burstNanos;
        if (!started || paidUpNanos - earliestNanos < 0) {
            started = true;
            paidUpNanos = earliestNanos;
        }
        long waitNanos = waitNanos(nowNanos);
        paidUpNanos += (long) (units * nanosPerUnit);
        return waitNanos;
    }
}
