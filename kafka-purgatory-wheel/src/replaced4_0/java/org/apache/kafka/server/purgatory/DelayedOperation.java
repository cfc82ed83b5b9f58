/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import io.evenkeel.purgatory.WatchLists;
import io.evenkeel.purgatory.kafka.Watch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.server.util.timer.TimerTask;
import org.jspecify.annotations.NullMarked;

/**
 * A request that waits to be completed, by an event or by its timeout, whichever comes first. Replaces Kafka's class of
 * this name, for Kafka 4.0. Thread safe.
 *
 * <p>Several requests may share a lock, for instance that of a consumer group, so the thread that completes a request
 * need not hold it. The request itself is held only for the watch lists, and no Kafka code but its keys runs meanwhile.
 */
@NullMarked
public abstract class DelayedOperation extends TimerTask {
    @SuppressWarnings("this-escape") // it only keeps the reference
    private final Watch<DelayedOperation> watch = new Watch<>(this);

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
        if (!watch.finish()) {
            return false;
        }
        cancel();
        WatchLists.leave(watch);
        onComplete();
        return true;
    }

    /** True as soon as a thread completes it. */
    public boolean isCompleted() {
        return watch.isFinished();
    }

    /** Called after {@link #onComplete} if the timeout has completed it. */
    public abstract void onExpiration();

    /** Does the work of the completion. Called once. */
    public abstract void onComplete();

    /** Calls {@link #forceComplete} if it can be completed, and returns its answer; otherwise false. */
    public abstract boolean tryComplete();

    /** Tries under the lock; if that fails, runs the action and tries again. */
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
        if (watch.isFinished()) {
            return false;
        }
        lock.lock();
        try {
            return !watch.isFinished() && tryComplete();
        } finally {
            lock.unlock();
        }
    }

    final void watch(
            WatchLists<DelayedOperationKey, Watch<DelayedOperation>> lists, List<? extends DelayedOperationKey> keys) {
        boolean entered = watch.enter();
        try {
            lists.watch(watch, keys);
        } finally {
            if (entered) {
                watch.exit();
            }
        }
    }

    /** Called after the timeout. */
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
