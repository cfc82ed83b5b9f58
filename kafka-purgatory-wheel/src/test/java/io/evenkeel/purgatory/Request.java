/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A request that does what {@link WatchLists} asks of one, and counts how often it is completed. */
final class Request extends Watched {
    final int id;
    private final BooleanSupplier condition;
    private final Runnable whenCompleted;
    private final AtomicInteger completions = new AtomicInteger();

    Request(int id, BooleanSupplier condition) {
        this(id, condition, () -> {});
    }

    /** Completes when it is asked while the condition holds, and then runs something. */
    Request(int id, BooleanSupplier condition, Runnable whenCompleted) {
        this.id = id;
        this.condition = condition;
        this.whenCompleted = whenCompleted;
    }

    /** A request that waits until it is forced. */
    static Request patient(int id) {
        return new Request(id, () -> false);
    }

    <K> boolean tryCompleteElseWatch(WatchLists<K, Request> lists, List<K> keys) {
        boolean entered = enter();
        boolean asked = false;
        try {
            if (tryComplete()) {
                return true;
            }
            lists.watch(this, keys);
            if (tryComplete()) {
                return true;
            }
        } finally {
            asked = entered && exit();
        }
        return asked && safeTryComplete();
    }

    boolean forceComplete() {
        if (!finish()) {
            return false;
        }
        completions.incrementAndGet();
        WatchLists.leave(this);
        whenCompleted.run();
        return true;
    }

    boolean isCompleted() {
        return isFinished();
    }

    /** How often it was completed. */
    int completions() {
        return completions.get();
    }

    boolean safeTryComplete() {
        boolean asked = true;
        while (asked) {
            boolean entered = enterOrAsk();
            try {
                if (entered && tryComplete()) {
                    return true;
                }
            } finally {
                asked = entered && exit();
            }
        }
        return false;
    }

    private boolean tryComplete() {
        return condition.getAsBoolean() && forceComplete();
    }

    @Override
    public String toString() {
        return "request " + id + (isFinished() ? " (completed)" : "");
    }
}
