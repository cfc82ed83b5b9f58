/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for critical sections of a few dozen nanoseconds. Not reentrant, not fair.
 *
 * <p>Unlike a monitor it costs one atomic instruction a pair, not two: nobody who waits has to be woken, so unlocking is
 * a plain release. Who waits spins for about as long as a critical section can take, then lets other threads run in case
 * the owner has lost its processor, and at last looks again every 50 microseconds.
 */
class BriefLock extends CacheLines {
    private static final int SPINS = 64;
    private static final int YIELDS = 64;
    private static final long PAUSE_NANOS = 50_000;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(BriefLock.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int held;

    final void lock() {
        if (!HELD.compareAndSet(this, 0, 1)) {
            await();
        }
    }

    final void unlock() {
        HELD.setRelease(this, 0);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: it saves the pause, mostly.
    private void await() {
        int tries = 0;
        do {
            while (held != 0) {
                if (tries < SPINS) {
                    Thread.onSpinWait();
                } else if (tries < SPINS + YIELDS) {
                    Thread.yield();
                } else {
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
                tries++;
            }
        } while (!HELD.compareAndSet(this, 0, 1));
    }
}
