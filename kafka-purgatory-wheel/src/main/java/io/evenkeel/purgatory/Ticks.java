/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds by {@link System#nanoTime()} as ticks since a start, and back. Immutable.
 *
 * <p>Times before the start, as of a clock that runs backwards, count as the start. What lies further ahead than
 * nanoseconds can tell, 292 years, counts as that far ahead.
 */
final class Ticks {
    private final long startNanos;
    private final long tickNanos;

    /** 2^64 / tickNanos: a division would cost more than all the rest of an add. */
    private final long reciprocal;

    Ticks(long startNanos, long tickMs) {
        if (tickMs < 1 || tickMs > TimeUnit.DAYS.toMillis(1)) {
            throw new IllegalArgumentException("A tick must last between 1 ms and a day, but not " + tickMs + " ms");
        }
        this.startNanos = startNanos;
        this.tickNanos = TimeUnit.MILLISECONDS.toNanos(tickMs);
        this.reciprocal = Long.divideUnsigned(-1, tickNanos);
    }

    /** The tick that has come at a time. */
    long at(long nowNanos) {
        return wholeTicks(elapsedNanos(nowNanos));
    }

    /** The first tick that comes when all of the delay has passed. Requires: {@code delayMs > 0}. */
    long after(long nowNanos, long delayMs) {
        long deadlineNanos = elapsedNanos(nowNanos) + TimeUnit.MILLISECONDS.toNanos(delayMs);
        return wholeTicks((deadlineNanos < 0 ? Long.MAX_VALUE : deadlineNanos) - 1) + 1;
    }

    /** How long it is until a tick comes: 0 if it has come, {@link Long#MAX_VALUE} if it is never to come. */
    long nanosUntil(long tick, long nowNanos) {
        if (tick > Long.MAX_VALUE / tickNanos) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, tick * tickNanos - elapsedNanos(nowNanos));
    }

    /** How long ago a tick came. Requires: it has come. */
    long nanosSince(long tick, long nowNanos) {
        return elapsedNanos(nowNanos) - tick * tickNanos;
    }

    /** Differences of nanoTime stay right when it wraps. */
    private long elapsedNanos(long nowNanos) {
        return Math.max(0, nowNanos - startNanos);
    }

    /** Requires: {@code nanos >= 0}. */
    private long wholeTicks(long nanos) {
        long ticks = Math.multiplyHigh(nanos, reciprocal);
        // The reciprocal was rounded down, which can cost one tick, never more: nanos is below 2^63.
        return nanos - ticks * tickNanos >= tickNanos ? ticks + 1 : ticks;
    }
}
