/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands out {@link Timeout}s when their time has come. Thread safe.
 *
 * <p>It has neither a clock nor a thread: who adds tells the time, and whoever calls {@link #advance}, one thread as a
 * rule, hands out. Time is what {@link System#nanoTime()} says; the latest time that anybody has told counts, so a
 * clock that runs backwards delays, and does no harm beyond.
 */
public final class WheelTimer {
    /*
     * Threads that add and cancel do not meet, for each has lanes of its own as long as there are enough of them, which
     * it takes by turns: timing wheels behind a lock each that is held for some dozens of nanoseconds. A timeout has its
     * lane for good, so whoever adds or cancels it, and as often as they like, meets at the same lock. By turns, since
     * it is cancelled later and by another thread as a rule: that one seldom comes to the lane where others are added.
     *
     * Ground rules
     *   I1  Never early: a timeout is handed out in the first tick that begins after all of its delay, or later.
     *   I2  Exactly once: each add that answered true ends in one hand-over, or in one cancel that answered true, or in
     *       another add. Whoever takes it from its lane, under the lane's lock, decides which.
     *   I3  Nobody oversleeps: who has made a lane's next tick earlier calls `wake` after that. The tick is volatile, so
     *       either advance saw the earlier one, or `wake` comes after and must cut short the wait for what advance
     *       answered, even if that has not begun.
     *   I4  The size is exact: each lane counts what it holds.
     *   I5  No cancel is lost: if one thread adds and then looks at a flag, and another sets the flag and then cancels,
     *       the first sees the flag or the second cancels. For both take the lane's lock; only what has expired is not
     *       cancelled under it, and adding that anew costs a volatile write.
     *   I6  No lane's lock is held for longer than a portion takes, nor while anything is called back.
     */
    public static final int MAX_LANES = 256;

    /** How many lanes a thread that makes timeouts takes. */
    public static final int LANES_A_THREAD = StripeTurns.LANES;

    /** How many are moved or taken from a lane at a time. */
    private static final int PORTION = 32;

    private final Ticks ticks;
    private final Stripe[] lanes;
    private final Runnable wake;
    private final AtomicReference<@Nullable Round> spareRound = new AtomicReference<>();

    /** What one call of {@link #advance} works with; kept for the next one. */
    private static final class Round {
        final Timeout[] portion = new Timeout[PORTION];

        @Nullable
        Throwable failure;
    }

    /**
     * @param tickMs how finely time is told: nothing is late by more than a tick, if advance is called when it is
     *     needed
     * @param wheelSize buckets a level: a power of two, 2 to 4096; what is due within as many ticks is never moved
     * @param lanes a power of two, 1 to 256; each thread that makes timeouts takes {@link #LANES_A_THREAD} of them
     * @param nowNanos the time
     * @param wake what makes {@link #advance} be called again soon: run, outside of locks, when something was added
     *     that is due before it asked for that. If advance is running, one more call must follow.
     */
    public WheelTimer(long tickMs, int wheelSize, int lanes, long nowNanos, Runnable wake) {
        if (lanes < 1 || lanes > MAX_LANES || Integer.bitCount(lanes) != 1) {
            throw new IllegalArgumentException(
                    "The number of lanes must be a power of two between 1 and " + MAX_LANES + ", but not " + lanes);
        }
        this.ticks = new Ticks(nowNanos, tickMs);
        this.lanes = new Stripe[lanes];
        for (int i = 0; i < lanes; i++) {
            this.lanes[i] = new Stripe(wheelSize);
        }
        this.wake = wake;
    }

    /**
     * Lets it wait; anew, if it is waiting already.
     *
     * @return false if it is due at once: it is not waiting then, and the caller is to run it
     */
    public boolean add(Timeout timeout, long nowNanos, long delayMs) {
        if (delayMs <= 0) {
            cancel(timeout);
            return false;
        }
        Stripe.Outcome outcome = laneOf(timeout).add(timeout, ticks.at(nowNanos), ticks.after(nowNanos, delayMs));
        if (outcome == Stripe.Outcome.ADDED_EARLIER) {
            wake.run();
        }
        return outcome != Stripe.Outcome.DUE;
    }

    /** True if it was waiting: it will not be handed out. */
    public boolean cancel(Timeout timeout) {
        return !timeout.hasExpired() && laneOf(timeout).remove(timeout);
    }

    /** How many are waiting. Adds and cancels that run meanwhile may or may not count. */
    public int size() {
        int size = 0;
        for (Stripe lane : lanes) {
            size += lane.size();
        }
        return size;
    }

    /** How many adds have answered true so far. */
    public long adds() {
        long adds = 0;
        for (Stripe lane : lanes) {
            adds += lane.adds();
        }
        return adds;
    }

    /** How long ago the tick came in which it was due. For what was just handed out. */
    public long lateNanos(Timeout timeout, long nowNanos) {
        return ticks.nanosSince(timeout.tick, nowNanos);
    }

    /**
     * Hands out what is due, each once, outside of locks. May be called from several threads, and from what it calls.
     *
     * <p>What {@code due} throws does not keep the others from being handed out; it is thrown afterwards.
     *
     * @return nanoseconds from {@code nowNanos} on until the next call is needed, unless {@code wake} comes before;
     *     {@link Long#MAX_VALUE} if there is nothing to wait for
     */
    public long advance(long nowNanos, Consumer<? super Timeout> due) {
        Round spare = spareRound.getAndSet(null);
        Round round = spare != null ? spare : new Round();
        long tick = ticks.at(nowNanos);
        long nextTick = Long.MAX_VALUE;
        for (Stripe lane : lanes) {
            nextTick = Math.min(nextTick, advance(lane, tick, round, due));
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

    private static long advance(Stripe lane, long tick, Round round, Consumer<? super Timeout> due) {
        while (true) {
            int count = lane.advance(tick, round.portion);
            for (int i = 0; i < count; i++) {
                handOut(round, i, due);
            }
            long nextTick = lane.nextTick();
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

    private Stripe laneOf(Timeout timeout) {
        return lanes[timeout.lane() & (lanes.length - 1)];
    }
}
