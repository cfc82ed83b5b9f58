/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

/**
 * A timing wheel behind a lock of its own. Thread safe.
 *
 * <p>Nothing is called back under the lock, and no thread holds two lanes' locks.
 */
final class Lane {
    /** What became of an attempt to add. */
    enum Outcome {
        ADDED,
        /** Added, and {@link TimingWheel#nextTick()} is earlier now. */
        ADDED_EARLIER,
        /** Not added, as its tick has passed. */
        DUE
    }

    private final BriefLock lock = new BriefLock();
    private final TimingWheel wheel;
    private long adds;

    Lane(int wheelSize) {
        this.wheel = new TimingWheel(wheelSize);
    }

    /** Adds one, or changes its time if it is pending. */
    Outcome add(Timeout timeout, long nowTick, long tick) {
        lock.lock();
        try {
            long nextTick = wheel.nextTick();
            wheel.skipTo(nowTick);
            boolean isPending = timeout.isPendingLocked();
            if (tick <= wheel.now()) {
                if (isPending) {
                    wheel.remove(timeout);
                }
                return Outcome.DUE;
            }
            if (isPending) {
                wheel.move(timeout, tick);
            } else {
                wheel.add(timeout, tick);
            }
            adds++;
            return wheel.nextTick() < nextTick ? Outcome.ADDED_EARLIER : Outcome.ADDED;
        } finally {
            lock.unlock();
        }
    }

    /** True if it was pending. */
    boolean remove(Timeout timeout) {
        lock.lock();
        try {
            boolean isPending = timeout.isPendingLocked();
            if (isPending) {
                wheel.remove(timeout);
            }
            return isPending;
        } finally {
            lock.unlock();
        }
    }

    /** {@link TimingWheel#advance} by one portion. */
    int advance(long tick, Timeout[] due) {
        lock.lock();
        try {
            return wheel.advance(tick, due);
        } finally {
            lock.unlock();
        }
    }

    long nextTick() {
        lock.lock();
        try {
            return wheel.nextTick();
        } finally {
            lock.unlock();
        }
    }

    long adds() {
        lock.lock();
        try {
            return adds;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return wheel.size();
        } finally {
            lock.unlock();
        }
    }
}
