/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many of a broker's request handlers appends to one log directory may hold at once. Thread safe; never waits, and
 * is told the time.
 */
public final class HandlerShare {
    /*
     * A disk holds up appends to it in more ways than one: they wait for room, in a write for the file system's
     * journal, or for the lock of a partition that another append holds meanwhile. Each keeps its request handler, and
     * when the last handler is held, nothing is served any more, on whichever disk it is. Who waits for room is known
     * to be held up, so of those there are never more than the log directory's fair share. Of the others that shows
     * only later, and what has been let in cannot be sent away again: so a part of the handlers is always left to
     * others, and as soon as one append was held up for long, all but the fair share.
     *
     * I6: no append is let in while appends, and those that wait for their answer, hold as many handlers as that.
     */
    private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(10);
    /**
     * Long for an append that nothing holds up, and short for one to another disk that waits for the handler meanwhile.
     */
    private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int PART_FOR_OTHERS = 4;

    private final int handlers;
    /** The oldest first; those that have left leave this when they are the oldest. */
    private final Deque<Held> held = new ArrayDeque<>();

    private int count;
    private int waiting;
    private boolean wasStuck;
    private long stuckNanos;

    /** A handler, until it is left. */
    public final class Held {
        private final long sinceNanos;
        private boolean waits;
        private boolean left;

        private Held(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }

        /**
         * The append has found no room. To be called once.
         *
         * @param logDirs that the broker has
         * @return whether it may wait for room; false when as many wait as may
         */
        public boolean mayWait(int logDirs) {
            synchronized (HandlerShare.this) {
                waits = waiting < fairShare(logDirs);
                waiting += waits ? 1 : 0;
                return waits;
            }
        }

        /** The append is over; to be called once. */
        public void leave(long nowNanos) {
            synchronized (HandlerShare.this) {
                lookForStuck(nowNanos);
                left = true;
                count--;
                waiting -= waits ? 1 : 0;
                while (!held.isEmpty() && held.getFirst().left) {
                    held.removeFirst();
                }
            }
        }
    }

    /** @param handlers that the broker has */
    public HandlerShare(int handlers) {
        this.handlers = handlers;
    }

    /**
     * Lets an append in; null when too many are in.
     *
     * @param logDirs that the broker has
     */
    public synchronized @Nullable Held enter(int logDirs, long nowNanos) {
        lookForStuck(nowNanos);
        return count < most(logDirs, nowNanos) ? stay(nowNanos) : null;
    }

    /** One that was let in before, and has left, waits for its answer: it holds its handler whatever the share is. */
    public synchronized Held stay(long nowNanos) {
        Held entered = new Held(nowNanos);
        held.addLast(entered);
        count++;
        return entered;
    }

    /** How long one that was not let in may wait for another to leave; 0 when that may take long. */
    public synchronized long patienceNanos(long nowNanos) {
        lookForStuck(nowNanos);
        if (held.isEmpty()) {
            return 0;
        }
        long longestNanos = isStuck(nowNanos) ? BRIEF_NANOS : STUCK_NANOS + 1;
        return Math.max(0, longestNanos - (nowNanos - held.getFirst().sinceNanos));
    }

    private int most(int logDirs, long nowNanos) {
        int share = fairShare(logDirs);
        return isStuck(nowNanos) ? share : Math.max(share, handlers - Math.max(1, handlers / PART_FOR_OTHERS));
    }

    private int fairShare(int logDirs) {
        return Math.max(1, logDirs == 1 ? handlers - 1 : handlers / logDirs);
    }

    private boolean isStuck(long nowNanos) {
        return wasStuck && nowNanos - stuckNanos <= CALM_NANOS;
    }

    private void lookForStuck(long nowNanos) {
        if (!held.isEmpty() && nowNanos - held.getFirst().sinceNanos > STUCK_NANOS) {
            wasStuck = true;
            stuckNanos = nowNanos;
        }
    }
}
