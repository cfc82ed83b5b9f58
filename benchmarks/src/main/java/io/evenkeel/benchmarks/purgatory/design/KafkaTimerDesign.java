/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.TimerTask;

/** Kafka's timer, stock's or ours by the class path, with a reaper thread as in {@code SystemTimerReaper}. */
final class KafkaTimerDesign implements TimerDesign {
    private static final long REAPER_WAITS_MS = 200;

    private final SystemTimer timer = new SystemTimer("benchmark");
    private final Thread reaper = new Thread(this::reap, "reaper");
    private volatile boolean closed;

    KafkaTimerDesign() {
        reaper.start();
    }

    private static final class Task extends TimerTask {
        private final Runnable whenDue;

        Task(long delayMs, Runnable whenDue) {
            super(delayMs);
            this.whenDue = whenDue;
        }

        @Override
        public void run() {
            whenDue.run();
        }
    }

    @Override
    public Client client(int tasks, Runnable whenDue) {
        Task[] added = new Task[tasks];
        return new Client() {
            @Override
            public void add(int number, long delayMs) {
                Task task = new Task(delayMs, whenDue);
                added[number] = task;
                timer.add(task);
            }

            @Override
            public void cancel(int number) {
                added[number].cancel();
            }
        };
    }

    private void reap() {
        try {
            while (!closed) {
                timer.advanceClock(REAPER_WAITS_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            reaper.join();
            timer.close();
        } catch (Exception e) {
            throw new IllegalStateException("the timer did not close", e);
        }
    }
}
