/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/**
 * A timing wheel behind a lock of its own. Thread safe.
 *
 * <p>No other code is called under the lock, and no thread holds the locks of two stripes.
 *
 * <p>It is itself the lock, and it keeps the counts of the wheel, so that each add and each cancel writes to one cache
 * line. Requests are usually completed by other threads than those that made them, so these lines move between
 * processors.
 */
final class Stripe extends SpinLock {
    /** The result of an add. */
    enum Outcome {
        ADDED,
        /** Added, and {@link TimingWheel#nextTick()} is earlier now. */
        ADDED_EARLIER,
        /** Not added, because its tick has passed. */
        DUE
    }

    /** A stripe unlinks its lingering timeouts as soon as it has so many. So fewer than 64 linger for each thread. */
    static final int MAX_LINGERING = 64 / WheelTimer.STRIPES_PER_THREAD;

    private final TimingWheel wheel;

    /**
     * The timeouts that linger. To unlink one costs a cache miss for each of its neighbours. The misses of many that
     * are unlinked at a time overlap.
     */
    private final Timeout[] lingering = new Timeout[MAX_LINGERING];

    private int lingeringCount;
    private long adds;
    private int size;

    Stripe(int wheelSize) {
        this.wheel = new TimingWheel(wheelSize);
    }

    /** Adds a timeout, or changes its tick if it is pending. */
    Outcome add(Timeout timeout, long nowTick, long tick) {
        lock();
        try {
            long nextTick = wheel.nextTick();
            wheel.skipTo(nowTick);
            if (timeout.isLingeringLocked()) {
                unlinkLingering();
            }
            boolean isPending = timeout.isPendingLocked();
            if (tick <= wheel.now()) {
                if (isPending) {
                    removeLocked(timeout);
                }
                return Outcome.DUE;
            }
            if (isPending) {
                wheel.move(timeout, tick);
            } else {
                wheel.add(timeout, tick);
                size++;
            }
            adds++;
            return wheel.nextTick() < nextTick ? Outcome.ADDED_EARLIER : Outcome.ADDED;
        } finally {
            unlock();
        }
    }

    /** True if it was pending. */
    boolean remove(Timeout timeout) {
        lock();
        try {
            boolean isPending = timeout.isPendingLocked();
            if (isPending) {
                removeLocked(timeout);
            }
            return isPending;
        } finally {
            unlock();
        }
    }

    /** {@link TimingWheel#advance}, for one portion. */
    int advance(long tick, Timeout[] due) {
        lock();
        try {
            unlinkLingering();
            int count = wheel.advance(tick, due);
            size -= count;
            return count;
        } finally {
            unlock();
        }
    }

    /** {@link TimingWheel#nextTick}, without the lock. */
    long nextTick() {
        return wheel.nextTick();
    }

    long adds() {
        lock();
        try {
            return adds;
        } finally {
            unlock();
        }
    }

    int size() {
        lock();
        try {
            return size;
        } finally {
            unlock();
        }
    }

    int lingering() {
        lock();
        try {
            return lingeringCount;
        } finally {
            unlock();
        }
    }

    private void removeLocked(Timeout timeout) {
        timeout.lingerLocked();
        size--;
        lingering[lingeringCount++] = timeout;
        if (lingeringCount == MAX_LINGERING) {
            unlinkLingering();
        }
    }

    private void unlinkLingering() {
        while (lingeringCount > 0) {
            Timeout timeout = lingering[--lingeringCount];
            lingering[lingeringCount] = null;
            wheel.remove(timeout);
        }
    }
}
