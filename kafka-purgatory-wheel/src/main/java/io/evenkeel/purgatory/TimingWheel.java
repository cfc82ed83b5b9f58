/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: it finds the due timeouts, and adds, removes and expires them at a constant cost.
 *
 * <p>Not thread safe, except {@link #nextTick()}. Time is an argument, in ticks from 0 on.
 */
final class TimingWheel extends Padded {
    /*
     * The scheme is number 7 of [1], driven on demand as in [2]. Level k is a ring of n buckets of n^k ticks each. A
     * timeout lies in the lowest level in which its bucket is less than a turn ahead of the current one. At the first
     * tick of a bucket its timeouts are due, in level 0, or move to a lower level.
     *
     * With 1,024 buckets and a tick of 1 ms, 30 s from tick 5 on is tick 30,005: out of reach of level 0, and in
     * level 1 in bucket 29, which begins with tick 29,696. Then it moves to bucket 309 of level 0, where tick 30,005
     * finds it. Most requests are finished before they move even once.
     *
     *   W1  No timeout is due at or before `now`, except those still in the buckets that begin with `now`.
     *   W2  In each level every timeout lies less than a turn ahead. So a bucket never holds two turns at once. That is
     *       why distances are counted in buckets: counted in ticks, a timeout almost a turn ahead could land in the
     *       current bucket.
     *   W3  No occupied bucket begins before `next`. `next` may be too early, since removing does not change it: this
     *       costs one advance in vain, and it spares a thread that adds again and again to an almost empty wheel from
     *       being the earliest each time.
     *   W4  A bit of a bitmap is set exactly if its bucket is occupied.
     *
     * [1] G. Varghese, A. Lauck: Hashed and Hierarchical Timing Wheels. IEEE/ACM Transactions on Networking 5 (6),
     * 1997.
     * [2] Apache Kafka: purgatory redesign proposal, 2015.
     */
    static final int MIN_SIZE = 2;
    static final int MAX_SIZE = 4096;

    private final int sizeShift;

    Level[] levels;
    private long now;

    /** Only the owner writes it. Reads are far more frequent, so it may lie in the caches of many processors. */
    private volatile long next = Long.MAX_VALUE;

    /** @param wheelSize buckets per level: a power of two */
    TimingWheel(int wheelSize) {
        if (wheelSize < MIN_SIZE || wheelSize > MAX_SIZE || Integer.bitCount(wheelSize) != 1) {
            throw new IllegalArgumentException("The size of a wheel must be a power of two between " + MIN_SIZE
                    + " and " + MAX_SIZE + ", but not " + wheelSize);
        }
        this.sizeShift = Integer.numberOfTrailingZeros(wheelSize);
        this.levels = new Level[0];
    }

    /** The tick up to which all due timeouts have been handed out. */
    long now() {
        return now;
    }

    /**
     * The first tick at which {@link #advance} may hand out a timeout; {@link Long#MAX_VALUE} if none is held. Thread
     * safe.
     */
    long nextTick() {
        return next;
    }

    /** Moves to a later tick if nothing is due until then, so that the next timeout is added to a lower level. */
    void skipTo(long tick) {
        if (tick > now && tick < next) {
            now = tick;
        }
    }

    /** Adds a timeout that is not pending. Requires: {@code now() < tick < Long.MAX_VALUE}. */
    void add(Timeout timeout, long tick) {
        append(timeout, tick, levelOf(tick));
    }

    /** Changes the tick of a timeout that it holds. Requires: {@code now() < tick < Long.MAX_VALUE}. */
    void move(Timeout timeout, long tick) {
        Level level = levelOf(tick);
        unlink(timeout);
        append(timeout, tick, level);
    }

    /** Removes a timeout. Requires: this wheel holds it. */
    void remove(Timeout timeout) {
        unlink(timeout);
        timeout.leaveLocked();
    }

    /**
     * Advances to a tick, but moves no more timeouts on the way than fit into {@code due}. The caller repeats the call
     * until {@link #nextTick()} is later than the tick. A tick in the past changes nothing.
     *
     * @param due receives, from index 0, the due timeouts, which this wheel no longer holds
     * @return the number of these; can be 0 although more will follow
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

    /** From the highest level down, so that the timeout that was added first goes first. */
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
        int position = timeout.positionLocked();
        levels[position >> sizeShift].unlink(timeout, position & ((1 << sizeShift) - 1));
    }
}
