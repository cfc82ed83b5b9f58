/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.concurrent.locks.LockSupport;

/**
 * How somebody waits who does not expect to wait for long, and whom nobody wakes: he looks again after a moment, then
 * lets other threads run in case the one he waits for has lost its processor, and at last sleeps, longer each time. For
 * one wait of one thread.
 */
final class SpinBackoff {
    private static final int SPINS = 64;
    private static final int YIELDS = 64;
    private static final long FIRST_SLEEP_NANOS = 50_000;
    private static final int DOUBLINGS = 4;

    private int looks;

    /** Waits until it is time to look again. */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: it saves the sleep, mostly.
    void pause(Object waitedFor) {
        if (looks < SPINS) {
            Thread.onSpinWait();
        } else if (looks < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(waitedFor, FIRST_SLEEP_NANOS << Math.min(DOUBLINGS, looks - SPINS - YIELDS));
        }
        looks++;
    }
}
