/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A completer with one delay queue of all requests. */
final class QueueCompleter implements Completer {
    private final DelayQueue<Entry> queue = new DelayQueue<>();
    private final Thread thread = new Thread(this::run, "completer");
    private volatile long completed;

    private record Entry(PurgatoryDesign.Waiting request, long atNanos) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(atNanos - ((Entry) other).atNanos);
        }
    }

    QueueCompleter() {
        thread.start();
    }

    @Override
    public void add(PurgatoryDesign.Waiting request, long atNanos) {
        queue.add(new Entry(request, atNanos));
    }

    @Override
    public void advance(long nowNanos) {}

    private void run() {
        try {
            while (true) {
                if (queue.take().request().complete()) {
                    addCompleted();
                }
            }
        } catch (InterruptedException closed) {
            // the completer is closed
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void addCompleted() {
        completed++;
    }

    @Override
    public long completed() {
        return completed;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
