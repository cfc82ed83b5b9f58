/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import io.evenkeel.purgatory.WatchLists;
import io.evenkeel.purgatory.kafka.SubclassLocks;
import io.evenkeel.purgatory.kafka.Watch;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.server.util.timer.TimerTask;
import org.jspecify.annotations.NullMarked;

/**
 * A request that waits to be completed, by an event or by its timeout, whichever comes first. Replaces Kafka's class of
 * this name, for Kafka 4.1 and newer. Thread safe.
 *
 * <p>One thread at a time tries or completes it, as by a lock that ends when it is completed.
 */
@NullMarked
public abstract class DelayedOperation extends TimerTask {
    private static final SubclassLocks LOCKS = new SubclassLocks(DelayedOperation.class);

    @SuppressWarnings("this-escape") // it only keeps the reference
    private final Watch<DelayedOperation> watch = new Watch<>(this);

    /** Also held while it is tried and completed; null where no subclass uses it. */
    @SuppressWarnings("NullAway") // a subclass that uses it never sees null
    protected final ReentrantLock lock;

    @SuppressWarnings("NullAway")
    public DelayedOperation(long delayMs) {
        super(delayMs);
        lock = LOCKS.get(getClass()) ? new ReentrantLock() : null;
    }

    /** Completes it, once. True for the one caller that has done so; all others do nothing. */
    public boolean forceComplete() {
        if (watch.isFinished()) {
            return false;
        }
        lockForSubclass();
        try {
            return complete();
        } finally {
            unlockForSubclass();
        }
    }

    private boolean complete() {
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

    /** Tries; if that fails, runs the action and tries again. */
    boolean safeTryCompleteOrElse(Action action) {
        lockForSubclass();
        boolean entered = watch.enter();
        boolean asked = false;
        try {
            if (tryComplete()) {
                return true;
            }
            action.apply();
            if (tryComplete()) {
                return true;
            }
        } finally {
            asked = entered && watch.exit();
            unlockForSubclass();
        }
        return asked && safeTryComplete();
    }

    /**
     * Tries, or asks the thread that is trying to try again. False if it asked, and if the request is completed
     * already.
     */
    boolean safeTryComplete() {
        boolean asked = true;
        while (asked && !watch.isFinished()) {
            lockForSubclass();
            boolean entered = watch.enterOrAsk();
            try {
                if (entered && tryComplete()) {
                    return true;
                }
            } finally {
                asked = entered && watch.exit();
                unlockForSubclass();
            }
        }
        return false;
    }

    private void lockForSubclass() {
        if (lock != null) {
            lock.lock();
        }
    }

    private void unlockForSubclass() {
        if (lock != null) {
            lock.unlock();
        }
    }

    /** Called while it is held. */
    final void watch(
            WatchLists<DelayedOperationKey, Watch<DelayedOperation>> lists, List<? extends DelayedOperationKey> keys) {
        lists.watch(watch, keys);
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
