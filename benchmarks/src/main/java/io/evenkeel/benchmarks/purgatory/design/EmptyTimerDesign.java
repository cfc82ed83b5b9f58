/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs each task at once: it creates the task with its deadline, and a cancellation claims the task. The cost is that
 * of the benchmark itself, of the clock, and of the access to a task. No timer whose tasks are shared by threads can
 * cost less.
 */
final class EmptyTimerDesign implements TimerDesign {
    @Override
    public Client client(int tasks, Runnable whenDue) {
        AtomicLong[] deadlines = new AtomicLong[tasks];
        return new Client() {
            @Override
            public void add(int number, long delayMs) {
                deadlines[number] = new AtomicLong(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs));
                whenDue.run();
            }

            @Override
            public void cancel(int number) {
                AtomicLong deadline = deadlines[number];
                deadline.compareAndSet(deadline.getPlain(), 0);
            }
        };
    }

    @Override
    public void close() {}
}
