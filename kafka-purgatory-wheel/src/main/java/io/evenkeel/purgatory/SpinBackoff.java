/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.locks.LockSupport;

/**
 * The pauses of a thread that expects a short wait. It first spins, then yields, in case the thread that it waits for
 * has lost its processor, and at last sleeps, longer each time, unless another thread wakes it. For one wait of one
 * thread.
 */
final class SpinBackoff {
    private static final int SPINS = 64;
    private static final int YIELDS = 64;
    private static final long FIRST_SLEEP_NANOS = 50_000;
    private static final int DOUBLINGS = 4;

    private int pauses;

    /** Cuts the sleep of a thread short. */
    static void wake(Thread waiting) {
        LockSupport.unpark(waiting);
    }

    /** Pauses before the next attempt. */
    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not rely on it: it usually saves the sleep.
    void pause(Object waitedFor) {
        if (pauses < SPINS) {
            Thread.onSpinWait();
        } else if (pauses < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(waitedFor, FIRST_SLEEP_NANOS << Math.min(DOUBLINGS, pauses - SPINS - YIELDS));
        }
        pauses++;
    }
}
