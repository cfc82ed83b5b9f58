/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The JDK's own executor: a heap, from which a cancelled task is removed at once. */
final class ExecutorTimerDesign implements TimerDesign {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);

    ExecutorTimerDesign() {
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Client client(int tasks, Runnable whenDue) {
        Future<?>[] added = new Future<?>[tasks];
        return new Client() {
            @Override
            public void add(int number, long delayMs) {
                added[number] = executor.schedule(whenDue, delayMs, TimeUnit.MILLISECONDS);
            }

            @Override
            public void cancel(int number) {
                added[number].cancel(false);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
