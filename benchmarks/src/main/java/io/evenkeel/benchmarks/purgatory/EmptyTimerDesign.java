/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets nothing wait: a task is made, told when it is due, and run at once; who cancels one claims it. What is left is
 * the benchmark's own cost, and what no timer whose tasks threads share can do without: the clock, and coming by a
 * task.
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
