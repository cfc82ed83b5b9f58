/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/**
 * The design of Kafka 0.8: a queue of all requests by timeout, and a linked list for each key. A completed request
 * stays in all of them until a check of a list finds it, or until the number of entries, completed or not, makes the
 * reaper purge all lists.
 */
final class DelayQueuePurgatoryDesign implements PurgatoryDesign {
    private static final int PURGE_INTERVAL = 1000;
    private static final long REAPER_WAITS_MS = 200;

    private final ConcurrentHashMap<TopicPartitionOperationKey, Watchers> watchersByKey = new ConcurrentHashMap<>();
    private final DelayQueue<Request> queue = new DelayQueue<>();
    private final Thread reaper = new Thread(this::reap, "reaper");
    private volatile boolean closed;

    DelayQueuePurgatoryDesign() {
        reaper.start();
    }

    private static final class Request implements Delayed, Waiting {
        private final long dueNanos;
        private final Runnable whenExpired;
        private final AtomicBoolean completed = new AtomicBoolean();
        private volatile boolean allowed;

        Request(long timeoutMs, Runnable whenExpired) {
            this.dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            this.whenExpired = whenExpired;
        }

        @Override
        public boolean complete() {
            return completed.compareAndSet(false, true);
        }

        @Override
        public void allow() {
            allowed = true;
        }

        boolean tryComplete() {
            return allowed && complete();
        }

        boolean isCompleted() {
            return completed.get();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(dueNanos - ((Request) other).dueNanos);
        }
    }

    /** The requests that wait under a key. */
    private static final class Watchers {
        @SuppressWarnings("JdkObsolete") // as in Kafka 0.8
        private final LinkedList<Request> requests = new LinkedList<>();

        synchronized void add(Request request) {
            requests.add(request);
        }

        synchronized int size() {
            return requests.size();
        }

        synchronized int checkAndComplete() {
            int completed = 0;
            for (Iterator<Request> each = requests.iterator(); each.hasNext(); ) {
                Request request = each.next();
                if (request.isCompleted()) {
                    each.remove();
                } else if (request.tryComplete()) {
                    each.remove();
                    completed++;
                }
            }
            return completed;
        }

        synchronized void purge() {
            requests.removeIf(Request::isCompleted);
        }
    }

    @Override
    public Waiting watch(List<TopicPartitionOperationKey> keys, long timeoutMs, Runnable whenExpired) {
        Request request = new Request(timeoutMs, whenExpired);
        if (request.tryComplete()) {
            return request;
        }
        for (TopicPartitionOperationKey key : keys) {
            if (request.isCompleted()) {
                return request;
            }
            watchersByKey.computeIfAbsent(key, any -> new Watchers()).add(request);
        }
        if (!request.tryComplete()) {
            queue.add(request);
        }
        return request;
    }

    @Override
    public int checkAndComplete(TopicPartitionOperationKey key) {
        Watchers watchers = watchersByKey.get(key);
        return watchers == null ? 0 : watchers.checkAndComplete();
    }

    @Override
    public int watched() {
        return watchersByKey.values().stream().mapToInt(Watchers::size).sum();
    }

    private void reap() {
        try {
            while (!closed) {
                Request due = queue.poll(REAPER_WAITS_MS, TimeUnit.MILLISECONDS);
                if (due != null && due.complete()) {
                    due.whenExpired.run();
                }
                if (queue.size() + watched() > PURGE_INTERVAL) {
                    queue.removeIf(Request::isCompleted);
                    watchersByKey.values().forEach(Watchers::purge);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        reaper.interrupt();
    }
}
