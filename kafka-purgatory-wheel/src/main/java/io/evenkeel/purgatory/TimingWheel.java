/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: finds what is due, at a constant cost to add, to remove and to expire.
 *
 * <p>Not thread safe, but for {@link #nextTick()}. It is told the time, in ticks from 0 on.
 */
final class TimingWheel extends Padded {
    /*
     * The scheme is number 7 of [1], driven on demand as in [2]. Level k is a ring of n buckets of n^k ticks each. A
     * timeout lies in the lowest level in which its bucket is less than a turn ahead of the current one. When the first
     * tick of a bucket comes, what it holds is due, if level 0 holds it, or goes down to a lower level.
     *
     * With 1,024 buckets and a tick of 1 ms, 30 s from tick 5 on is tick 30,005: out of reach of level 0, and in
     * level 1 in bucket 29, which begins with tick 29,696. Then it moves to bucket 309 of level 0, where tick 30,005
     * finds it. Most requests are finished before they move even once.
     *
     *   W1  Nothing is due before or at `now`, but what is still in the buckets that begin with `now`.
     *   W2  In each level all that is held lies less than a turn ahead. So a bucket never holds two turns at once. That
     *       is why distances are those of buckets: by distances of ticks, what is almost a turn ahead could land in
     *       the current bucket.
     *   W3  No bucket that holds something begins before `next`. It may be too early, since removing leaves it alone:
     *       the price is one look in vain, and the gain is that who adds again and again to a wheel that is almost
     *       empty is not each time the earliest.
     *   W4  A bit of a bitmap is set exactly if its bucket holds something.
     *
     * [1] G. Varghese, A. Lauck: Hashed and Hierarchical Timing Wheels. IEEE/ACM Transactions on Networking 5 (6), 1997.
     * [2] Apache Kafka: purgatory redesign proposal, 2015.
     */
    static final int MIN_SIZE = 2;
    static final int MAX_SIZE = 4096;

    private final int sizeShift;

    Level[] levels;
    private long now;

    /** Written by the owner only. Read far more often than written, so it may lie in the caches of many processors. */
    private volatile long next = Long.MAX_VALUE;

    /** @param wheelSize buckets a level: a power of two */
    TimingWheel(int wheelSize) {
        if (wheelSize < MIN_SIZE || wheelSize > MAX_SIZE || Integer.bitCount(wheelSize) != 1) {
            throw new IllegalArgumentException("The size of a wheel must be a power of two between " + MIN_SIZE
                    + " and " + MAX_SIZE + ", but not " + wheelSize);
        }
        this.sizeShift = Integer.numberOfTrailingZeros(wheelSize);
        this.levels = new Level[0];
    }

    /** All that was due by then has been handed out. */
    long now() {
        return now;
    }

    /**
     * No call of {@link #advance} before this tick would hand out anything; {@link Long#MAX_VALUE} if none at all.
     * Thread safe.
     */
    long nextTick() {
        return next;
    }

    /** Moves to a later time, if nothing is to be done until then: what is added next goes the shorter way. */
    void skipTo(long tick) {
        if (tick > now && tick < next) {
            now = tick;
        }
    }

    /** Adds one that is not pending. Requires: {@code now() < tick < Long.MAX_VALUE}. */
    void add(Timeout timeout, long tick) {
        append(timeout, tick, levelOf(tick));
    }

    /** Changes the time of one that it holds. Requires: {@code now() < tick < Long.MAX_VALUE}. */
    void move(Timeout timeout, long tick) {
        Level level = levelOf(tick);
        unlink(timeout);
        append(timeout, tick, level);
    }

    /** Requires: it holds it. */
    void remove(Timeout timeout) {
        unlink(timeout);
        timeout.leaveLocked();
    }

    /**
     * Goes on to a tick, but moves no more timeouts on the way than fit into {@code due}. It is to be called again
     * while {@link #nextTick()} has come. A tick that has passed already changes nothing.
     *
     * @param due gets, from 0 on, what is due and not held any more
     * @return how many these are; can be 0 although more are to come
     */
    int advance(long tick, Timeout[] due) {
        int count = 0;
        for (int moves = 0; next <= tick && moves < due.length; moves++) {
            now = next;
            Timeout timeout = firstStartingNow();
            if (timeout == null) {
                next = nextStart();
            } else if (timeout.tick <= now) {
                unlink(timeout);
                timeout.expireLocked();
                due[count++] = timeout;
            } else {
                move(timeout, timeout.tick);
            }
        }
        skipTo(tick);
        return count;
    }

    /** From above, so that what was added first goes first. */
    private @Nullable Timeout firstStartingNow() {
        for (int i = levels.length - 1; i >= 0; i--) {
            if (levels[i].startsAt(now)) {
                Timeout first = levels[i].first(now);
                if (first != null) {
                    return first;
                }
            }
        }
        return null;
    }

    private long nextStart() {
        long start = Long.MAX_VALUE;
        for (Level level : levels) {
            start = Math.min(start, level.nextStart(now));
        }
        return start;
    }

    private Level levelOf(long tick) {
        for (int number = 0; ; number++) {
            if (number == levels.length) {
                levels = Arrays.copyOf(levels, number + 1);
                levels[number] = new Level(number, sizeShift);
            }
            if (levels[number].reaches(tick, now)) {
                return levels[number];
            }
        }
    }

    private void append(Timeout timeout, long tick, Level level) {
        int bucket = level.bucket(tick);
        timeout.tick = tick;
        timeout.enterLocked(level.number << sizeShift | bucket);
        level.append(timeout, bucket);
        long start = level.start(tick);
        if (start < next) {
            next = start;
        }
    }

    private void unlink(Timeout timeout) {
        int place = timeout.placeLocked();
        levels[place >> sizeShift].unlink(timeout, place & ((1 << sizeShift) - 1));
    }
}
