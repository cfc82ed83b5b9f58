/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/**
 * A timing wheel behind a lock of its own. Thread safe.
 *
 * <p>Nothing is called back under the lock, and no thread holds two lanes' locks.
 *
 * <p>It is its lock, and counts for the wheel: what each add and each cancel write lies in one cache line. Requests are
 * completed by other threads than those that made them, so such lines go to and fro between processors.
 */
final class Stripe extends SpinLock {
    /** What became of an attempt to add. */
    enum Outcome {
        ADDED,
        /** Added, and {@link TimingWheel#nextTick()} is earlier now. */
        ADDED_EARLIER,
        /** Not added, as its tick has passed. */
        DUE
    }

    private final TimingWheel wheel;
    private long adds;
    private int size;

    Stripe(int wheelSize) {
        this.wheel = new TimingWheel(wheelSize);
    }

    /** Adds one, or changes its time if it is pending. */
    Outcome add(Timeout timeout, long nowTick, long tick) {
        lock();
        try {
            long nextTick = wheel.nextTick();
            wheel.skipTo(nowTick);
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

    /** {@link TimingWheel#advance} by one portion. */
    int advance(long tick, Timeout[] due) {
        lock();
        try {
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

    private void removeLocked(Timeout timeout) {
        wheel.remove(timeout);
        size--;
    }
}
