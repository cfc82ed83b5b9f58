/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The appends that wait for room in one log. Thread safe. */
final class WaitingAppends {
    /*
     * I4: a waiting append tries again after each flush, and goes on when the log ends or flushing by rate is switched
     *     off. Each of these changes what hasRoom answers, and then calls wake.
     */
    private final Object lock = new Object();

    /**
     * Returns when there is room, or after that time.
     *
     * @param hasRoom whether there is
     * @param ask asks for a flush, before each wait
     */
    void await(BooleanSupplier hasRoom, Runnable ask, long mostNanos) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + mostNanos;
        synchronized (lock) {
            while (!hasRoom.getAsBoolean()) {
                long leftNanos = deadlineNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    return;
                }
                ask.run();
                TimeUnit.NANOSECONDS.timedWait(lock, leftNanos);
            }
        }
    }

    /** The appends look again. */
    void wake() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }
}
