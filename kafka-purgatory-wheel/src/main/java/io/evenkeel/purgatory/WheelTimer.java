/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands out {@link Timeout}s when they are due. Thread safe.
 *
 * <p>It has neither a clock nor a thread: callers pass the time, and the thread that calls {@link #advance}, one thread
 * as a rule, hands out. Time is that of {@link System#nanoTime()}. The latest time that any caller has passed counts,
 * so a clock that runs backwards only delays timeouts.
 */
public final class WheelTimer {
    /*
     * The timer has stripes: timing wheels, each behind a lock of its own that is held for some dozens of nanoseconds.
     * Each thread has stripes of its own as long as there are enough of them, so threads that add and cancel do not
     * meet. A timeout keeps its stripe for good, so each add and each cancel of it takes the same lock. A thread uses
     * its stripes by turns, because another thread usually cancels later: that thread seldom comes to the stripe to
     * which the first one adds now.
     *
     * Ground rules
     *   I1  Never early: a timeout is handed out in the first tick that begins after its whole delay, or later.
     *   I2  Exactly once: each add that answered true ends in one hand-over, or in one cancel that answered true, or in
     *       another add. The thread that takes it from its stripe, under the stripe's lock, decides which.
     *   I3  No timeout is overslept: a thread that has made a stripe's next tick earlier calls `wake` after that. The
     *       tick is volatile. So either advance saw the earlier tick, or `wake` comes after it and must end the wait
     *       for the time that advance answered, even if that wait has not begun.
     *   I4  The size is exact: each stripe counts its timeouts, without those that linger.
     *   I5  No cancel is lost: if one thread adds and then reads a flag, and another sets the flag and then cancels,
     *       the first sees the flag or the second cancels. For both take the stripe's lock. Only an expired timeout is
     *       not cancelled under the lock, and adding it again costs a volatile write.
     *   I6  No stripe's lock is held for longer than a portion takes, nor while other code is called.
     *   I7  Few timeouts linger, and not for long: when a stripe has 16 of them it unlinks them all, and so does each
     *       advance, and each add of one of them.
     */
    public static final int MAX_STRIPES = 256;

    /** The number of stripes of a thread that makes timeouts. */
    public static final int STRIPES_PER_THREAD = StripeTurns.STRIPES;

    /** The number of timeouts that are moved or taken from a stripe at a time. */
    private static final int PORTION = 32;

    private final Ticks ticks;
    private final Stripe[] stripes;
    private final Runnable wake;
    private final AtomicReference<@Nullable Round> spareRound = new AtomicReference<>();

    /** The working memory of one call of {@link #advance}, kept for the next one. */
    private static final class Round {
        final Timeout[] portion = new Timeout[PORTION];

        @Nullable
        Throwable failure;
    }

    /**
     * @param tickMs the resolution: no timeout is late by more than a tick, if advance is called when it is needed
     * @param wheelSize buckets per level: a power of two, 2 to 4096; a timeout that is due within as many ticks never
     *     moves
     * @param stripes a power of two, 1 to 256; each thread that makes timeouts uses {@link #STRIPES_PER_THREAD} of them
     * @param nowNanos the time
     * @param wake causes another call of {@link #advance}: run, outside of locks, when a timeout was added that is due
     *     before the time that advance answered. If advance is running, one more call must follow.
     */
    public WheelTimer(long tickMs, int wheelSize, int stripes, long nowNanos, Runnable wake) {
        if (stripes < 1 || stripes > MAX_STRIPES || Integer.bitCount(stripes) != 1) {
            throw new IllegalArgumentException("The number of stripes must be a power of two between 1 and "
                    + MAX_STRIPES + ", but not " + stripes);
        }
        this.ticks = new Ticks(nowNanos, tickMs);
        this.stripes = new Stripe[stripes];
        for (int i = 0; i < stripes; i++) {
            this.stripes[i] = new Stripe(wheelSize);
        }
        this.wake = wake;
    }

    /**
     * Adds a timeout. If it is pending already, its delay begins anew.
     *
     * @return false if it is due at once: it is not pending then, and the caller must run it
     */
    public boolean add(Timeout timeout, long nowNanos, long delayMs) {
        if (delayMs <= 0) {
            cancel(timeout);
            return false;
        }
        Stripe.Outcome outcome = stripeOf(timeout).add(timeout, ticks.at(nowNanos), ticks.after(nowNanos, delayMs));
        if (outcome == Stripe.Outcome.ADDED_EARLIER) {
            wake.run();
        }
        return outcome != Stripe.Outcome.DUE;
    }

    /** True if it was pending: it will not be handed out. */
    public boolean cancel(Timeout timeout) {
        return !timeout.hasExpired() && stripeOf(timeout).remove(timeout);
    }

    /** The number of pending timeouts. Adds and cancels that run meanwhile may or may not count. */
    public int size() {
        int size = 0;
        for (Stripe stripe : stripes) {
            size += stripe.size();
        }
        return size;
    }

    /** The number of cancelled timeouts that are still linked: until the next {@link #advance} at the latest (I7). */
    public int lingering() {
        int lingering = 0;
        for (Stripe stripe : stripes) {
            lingering += stripe.lingering();
        }
        return lingering;
    }

    /** The number of adds that have answered true so far. */
    public long adds() {
        long adds = 0;
        for (Stripe stripe : stripes) {
            adds += stripe.adds();
        }
        return adds;
    }

    /** The time since the tick in which it was due. For a timeout that was just handed out. */
    public long lateNanos(Timeout timeout, long nowNanos) {
        return ticks.nanosSince(timeout.tick, nowNanos);
    }

    /**
     * Hands out each due timeout once, outside of locks. Several threads may call it, and so may {@code due}.
     *
     * <p>If {@code due} throws, the other timeouts are handed out all the same, and the exception is thrown afterwards.
     *
     * @return nanoseconds from {@code nowNanos} until the next call is needed, unless {@code wake} comes before;
     *     {@link Long#MAX_VALUE} if no timeout is pending
     */
    public long advance(long nowNanos, Consumer<? super Timeout> due) {
        Round spare = spareRound.getAndSet(null);
        Round round = spare != null ? spare : new Round();
        long tick = ticks.at(nowNanos);
        long nextTick = Long.MAX_VALUE;
        for (Stripe stripe : stripes) {
            nextTick = Math.min(nextTick, advance(stripe, tick, round, due));
        }
        Throwable failure = round.failure;
        round.failure = null;
        spareRound.set(round);
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        return ticks.nanosUntil(nextTick, nowNanos);
    }

    private static long advance(Stripe stripe, long tick, Round round, Consumer<? super Timeout> due) {
        while (true) {
            int count = stripe.advance(tick, round.portion);
            for (int i = 0; i < count; i++) {
                handOut(round, i, due);
            }
            long nextTick = stripe.nextTick();
            if (nextTick > tick) {
                return nextTick;
            }
        }
    }

    private static void handOut(Round round, int index, Consumer<? super Timeout> due) {
        Timeout timeout = round.portion[index];
        round.portion[index] = null;
        try {
            due.accept(timeout);
        } catch (RuntimeException | Error failure) {
            if (round.failure == null) {
                round.failure = failure;
            } else if (round.failure != failure) {
                round.failure.addSuppressed(failure);
            }
        }
    }

    private Stripe stripeOf(Timeout timeout) {
        return stripes[timeout.stripe() & (stripes.length - 1)];
    }
}
