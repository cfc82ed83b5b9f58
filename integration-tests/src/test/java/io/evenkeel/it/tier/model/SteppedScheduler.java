/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.Scheduler;

/** A scheduler for Kafka that runs due tasks only on request, in a fixed order. Not thread safe. */
final class SteppedScheduler implements Scheduler {
    private static final Comparator<Task> IN_ORDER =
            Comparator.<Task>comparingLong(task -> task.dueMs).thenComparingLong(task -> task.number);

    private final SteppedTime time;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(IN_ORDER);
    private final List<String> failures = new ArrayList<>();
    private long nextNumber;

    private final class Task extends FutureTask<Object> implements ScheduledFuture<Object> {
        private final long number = nextNumber++;
        private final long periodMs;
        private long dueMs;

        Task(Runnable work, long dueMs, long periodMs) {
            super(work, "done");
            this.dueMs = dueMs;
            this.periodMs = periodMs;
        }

        void runOnce() {
            if (periodMs < 0) {
                run();
            } else if (runAndReset()) {
                dueMs += periodMs;
                tasks.add(this);
            }
        }

        @Override
        protected void setException(Throwable failure) {
            failures.add(failure.toString());
            super.setException(failure);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueMs - time.milliseconds(), TimeUnit.MILLISECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.MILLISECONDS), other.getDelay(TimeUnit.MILLISECONDS));
        }
    }

    SteppedScheduler(SteppedTime time) {
        this.time = time;
    }

    /** Runs the tasks that are due, and the due tasks that they schedule. */
    void runDue() {
        while (!tasks.isEmpty() && tasks.element().dueMs <= time.milliseconds()) {
            tasks.remove().runOnce();
        }
    }

    /** The exceptions of tasks since the last call. */
    List<String> thrown() {
        List<String> thrown = List.copyOf(failures);
        failures.clear();
        return thrown;
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable work, long delayMs, long periodMs) {
        Task task = new Task(work, time.milliseconds() + Math.max(0, delayMs), periodMs);
        tasks.add(task);
        return task;
    }

    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public void resizeThreadPool(int size) {}
}
