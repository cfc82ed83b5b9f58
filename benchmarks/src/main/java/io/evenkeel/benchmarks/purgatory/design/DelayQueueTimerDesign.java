/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** One queue for all tasks, as in Kafka 0.8, except that a cancelled task leaves at once. */
final class DelayQueueTimerDesign implements TimerDesign {
    private final DelayQueue<Task> queue = new DelayQueue<>();
    private final Thread reaper = new Thread(this::reap, "reaper");

    DelayQueueTimerDesign() {
        reaper.start();
    }

    private record Task(long dueNanos, Runnable whenDue) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(dueNanos - ((Task) other).dueNanos);
        }
    }

    @Override
    public Client client(int tasks, Runnable whenDue) {
        Task[] added = new Task[tasks];
        return new Client() {
            @Override
            public void add(int number, long delayMs) {
                Task task = new Task(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs), whenDue);
                added[number] = task;
                queue.add(task);
            }

            @Override
            public void cancel(int number) {
                queue.remove(added[number]);
            }
        };
    }

    private void reap() {
        try {
            while (true) {
                queue.take().whenDue().run();
            }
        } catch (InterruptedException closed) {
            // the timer is closed
        }
    }

    @Override
    public void close() {
        reaper.interrupt();
    }
}
