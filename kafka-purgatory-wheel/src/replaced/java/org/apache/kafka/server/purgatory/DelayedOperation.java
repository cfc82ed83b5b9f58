/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import io.evenkeel.purgatory.WatchLists;
import io.evenkeel.purgatory.kafka.SubclassLocks;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.server.util.timer.TimerTask;
import org.jspecify.annotations.NullMarked;

/**
 * A request that waits to be completed, by an event or by its timeout, whichever comes first. In the place of Kafka's
 * class of this name, for Kafka 4.1 and newer. Thread safe.
 *
 * <p>One thread at a time tries or completes it, as by a lock that ends when it is completed.
 */
@NullMarked
public abstract class DelayedOperation extends TimerTask {
    private static final SubclassLocks LOCKS = new SubclassLocks(DelayedOperation.class);

    /** Held, too, while it is tried and completed; null where no subclass asks for it. */
    @SuppressWarnings("NullAway") // to subclasses it is never null
    protected final ReentrantLock lock;

    @SuppressWarnings("NullAway")
    public DelayedOperation(long delayMs) {
        super(delayMs);
        lock = LOCKS.get(getClass()) ? new ReentrantLock() : null;
    }

    /** Completes it, once. True for the one caller that has done so; all others do nothing. */
    public boolean forceComplete() {
        if (isFinished()) {
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

    /** Tries, and if that was in vain, acts and tries again. */
    boolean safeTryCompleteOrElse(Action action) {
        lockForSubclass();
        boolean entered = enter();
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
            asked = entered && exit();
            unlockForSubclass();
        }
        return asked && safeTryComplete();
    }

    /**
     * Tries, or leaves that to who is just trying. False if that one is to do it, too, and if it is completed already.
     */
    boolean safeTryComplete() {
        boolean asked = true;
        while (asked && !isFinished()) {
            lockForSubclass();
            boolean entered = enterOrAsk();
            try {
                if (entered && tryComplete()) {
                    return true;
                }
            } finally {
                asked = entered && exit();
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
