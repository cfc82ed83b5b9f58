/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;

/** Agrona's wheel, which one thread owns: the client's. */
final class AgronaTimerDesign implements TimerDesign {
    /** About a millisecond; the wheel needs a power of two. */
    private static final long TICK_NANOS = 1 << 20;

    private static final int TICKS = 512;
    private static final int POLL_LIMIT = 1 << 16;

    private boolean taken;

    @Override
    public Client client(int tasks, Runnable whenDue) {
        if (taken) {
            throw new IllegalStateException("this timer supports one thread only");
        }
        taken = true;
        DeadlineTimerWheel wheel = new DeadlineTimerWheel(TimeUnit.NANOSECONDS, System.nanoTime(), TICK_NANOS, TICKS);
        long[] added = new long[tasks];
        return new Client() {
            @Override
            public void add(int number, long delayMs) {
                added[number] = wheel.scheduleTimer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs));
            }

            @Override
            public void cancel(int number) {
                wheel.cancelTimer(added[number]);
            }

            @Override
            public void poll() {
                long now = System.nanoTime();
                // A poll handles one tick; a wheel that is further behind needs more polls.
                while (wheel.poll(now, this::expire, POLL_LIMIT) > 0 || wheel.currentTickTime() < now) {}
            }

            private boolean expire(TimeUnit unit, long now, long id) {
                whenDue.run();
                return true;
            }
        };
    }

    @Override
    public void close() {}
}
