/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import io.kafkapatches.purgatory.WatchLists;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.server.util.timer.TimerTask;
import org.jspecify.annotations.NullMarked;

/**
 * A request that waits to be completed, by an event or by its timeout, whichever comes first. In the place of Kafka's class
 * of this name, for Kafka 4.1 and newer. Thread safe.
 *
 * <p>Whoever completes it holds its lock while he does.
 */
@NullMarked
public abstract class DelayedOperation extends TimerTask {
    /** Guards the watch lists' part of it, see {@link WatchLists}. */
    protected final ReentrantLock lock = new ReentrantLock();

    private volatile boolean completed;

    public DelayedOperation(long delayMs) {
        super(delayMs);
    }

    /** Completes it, once. True for the one caller that has done so; all others do nothing. */
    public boolean forceComplete() {
        if (completed) {
            return false;
        }
        lock.lock();
        try {
            if (completed) {
                return false;
            }
            completed = true;
            cancel();
            WatchLists.leave(this);
            onComplete();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** True as soon as somebody completes it. */
    public boolean isCompleted() {
        return completed;
    }

    /** What is to be done in addition when its time is over, after {@link #onComplete}. */
    public abstract void onExpiration();

    /** What completing it means. Called once, under the lock. */
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
        lock.lock();
        try {
            return !completed && tryComplete();
        } finally {
            lock.unlock();
        }
    }

    /** Called under the lock. */
    final <T extends DelayedOperation> void watch(
            WatchLists<DelayedOperationKey, T> lists, T self, List<? extends DelayedOperationKey> keys) {
        lists.watch(self, keys);
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
