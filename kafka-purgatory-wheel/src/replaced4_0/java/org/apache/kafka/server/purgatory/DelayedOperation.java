/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import io.evenkeel.purgatory.WatchLists;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.server.util.timer.TimerTask;
import org.jspecify.annotations.NullMarked;

/**
 * A request that waits to be completed, by an event or by its timeout, whichever comes first. In the place of Kafka's
 * class of this name, for Kafka 4.0. Thread safe.
 *
 * <p>Several may share a lock, that of a consumer group for instance, so whoever completes it need not hold it. What
 * the watch lists ask to be held is held for them alone, while nothing of Kafka's is called but its keys.
 */
@NullMarked
public abstract class DelayedOperation extends TimerTask {
    protected final Lock lock;

    public DelayedOperation(long delayMs) {
        this(delayMs, new ReentrantLock());
    }

    public DelayedOperation(long delayMs, Optional<Lock> lock) {
        this(delayMs, lock.orElseGet(ReentrantLock::new));
    }

    public DelayedOperation(long delayMs, Lock lock) {
        super(delayMs);
        this.lock = lock;
    }

    /** Completes it, once. True for the one caller that has done so; all others do nothing. */
    public boolean forceComplete() {
        if (!finish()) {
            return false;
        }
        cancel();
        WatchLists.leave(this);
        onComplete();
        return true;
    }

    /** True as soon as somebody completes it. */
    public boolean isCompleted() {
        return isFinished();
    }

    /** What is to be done in addition when its time is over, after {@link #onComplete}. */
    public abstract void onExpiration();

    /** What completing it means. Called once. */
    public abstract void onComplete();

    /** Calls {@link #forceComplete} if it can be completed, and answers what that does; else false. */
    public abstract boolean tryComplete();

    /** Tries under the lock, and if that was in vain, acts and tries again. */
    boolean safeTryCompleteOrElse(Action action) {
        lock.lock();
        try {
            if (tryComplete()) {
                return true;
            }
            action.apply();
            return tryComplete();
        } finally {
            lock.unlock();
        }
    }

    /** Tries under the lock; false if it is completed already. */
    boolean safeTryComplete() {
        if (isFinished()) {
            return false;
        }
        lock.lock();
        try {
            return !isFinished() && tryComplete();
        } finally {
            lock.unlock();
        }
    }

    final <T extends DelayedOperation> void watch(
            WatchLists<DelayedOperationKey, T> lists, T self, List<? extends DelayedOperationKey> keys) {
        boolean entered = enter();
        try {
            lists.watch(self, keys);
        } finally {
            if (entered) {
                exit();
            }
        }
    }

    /** Called when its time is over. */
    @Override
    public void run() {
        if (forceComplete()) {
            onExpiration();
        }
    }

    @FunctionalInterface
    public interface Action {
        void apply();
    }
}
