/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds by {@link System#nanoTime()} as ticks since a start, and back. Immutable.
 *
 * <p>A time before the start, from a clock that runs backwards, counts as the start. A time further ahead than a long
 * can hold in nanoseconds, 292 years, counts as 292 years ahead.
 */
final class Ticks {
    private final long startNanos;
    private final long tickNanos;

    /** 2^64 / tickNanos: a division would cost more than the rest of an add. */
    private final long reciprocal;

    Ticks(long startNanos, long tickMs) {
        if (tickMs < 1 || tickMs > TimeUnit.DAYS.toMillis(1)) {
            throw new IllegalArgumentException("A tick must last between 1 ms and a day, but not " + tickMs + " ms");
        }
        this.startNanos = startNanos;
        this.tickNanos = TimeUnit.MILLISECONDS.toNanos(tickMs);
        this.reciprocal = Long.divideUnsigned(-1, tickNanos);
    }

    /** The tick of a time. */
    long at(long nowNanos) {
        return wholeTicks(elapsedNanos(nowNanos));
    }

    /** The first tick that begins after the whole delay. Requires: {@code delayMs > 0}. */
    long after(long nowNanos, long delayMs) {
        long deadlineNanos = elapsedNanos(nowNanos) + TimeUnit.MILLISECONDS.toNanos(delayMs);
        return wholeTicks((deadlineNanos < 0 ? Long.MAX_VALUE : deadlineNanos) - 1) + 1;
    }

    /** The time until a tick begins: 0 if it has begun, {@link Long#MAX_VALUE} if it never does. */
    long nanosUntil(long tick, long nowNanos) {
        if (tick > Long.MAX_VALUE / tickNanos) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, tick * tickNanos - elapsedNanos(nowNanos));
    }

    /** The time since a tick began. Requires: it has begun. */
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
