/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Netty's wheel of one level, with ticks as long as Kafka's, and without Netty's leak detector. */
final class NettyTimerDesign implements TimerDesign {
    private static final int TICKS = 512;

    private final HashedWheelTimer timer =
            new HashedWheelTimer(Executors.defaultThreadFactory(), 1, TimeUnit.MILLISECONDS, TICKS, false);

    @Override
    public Client client(int tasks, Runnable whenDue) {
        Timeout[] added = new Timeout[tasks];
        TimerTask task = timeout -> whenDue.run();
        return new Client() {
            @Override
            public void add(int number, long delayMs) {
                added[number] = timer.newTimeout(task, delayMs, TimeUnit.MILLISECONDS);
            }

            @Override
            public void cancel(int number) {
                added[number].cancel();
            }
        };
    }

    @Override
    public void close() {
        timer.stop();
    }
}
