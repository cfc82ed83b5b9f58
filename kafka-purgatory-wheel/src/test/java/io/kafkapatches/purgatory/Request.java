/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A request that does what {@link WatchLists} asks of one, and sees to it that it is completed once. */
final class Request extends Watched {
    static final Completion<Request> COMPLETION = new Completion<>() {
        @Override
        public boolean isCompleted(Request request) {
            return request.isCompleted();
        }

        @Override
        public boolean tryComplete(Request request) {
            return request.safeTryComplete();
        }
    };

    final int id;
    private final BooleanSupplier condition;
    private final Runnable whenCompleted;
    final ReentrantLock lock = new ReentrantLock();
    private volatile boolean completed;
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
        lock.lock();
        try {
            if (tryComplete()) {
                return true;
            }
            lists.watch(this, keys);
            return tryComplete();
        } finally {
            lock.unlock();
        }
    }

    boolean forceComplete() {
        if (completed) {
            return false;
        }
        lock.lock();
        try {
            if (completed) {
                return false;
            }
            completions.incrementAndGet();
            completed = true;
            WatchLists.leave(this);
            whenCompleted.run();
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean isCompleted() {
        return completed;
    }

    /** How often it was completed. */
    int completions() {
        return completions.get();
    }

    private boolean safeTryComplete() {
        lock.lock();
        try {
            return !completed && tryComplete();
        } finally {
            lock.unlock();
        }
    }

    private boolean tryComplete() {
        return condition.getAsBoolean() && forceComplete();
    }

    @Override
    public String toString() {
        return "request " + id + (completed ? " (completed)" : "");
    }
}
