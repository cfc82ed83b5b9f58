/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for critical sections of a few dozen nanoseconds. Not reentrant, not fair.
 *
 * <p>Unlike a monitor it costs one atomic instruction for each lock and unlock, not two: no waiting thread has to be
 * woken, so unlocking is a plain release. A waiting thread pauses with {@link SpinBackoff}.
 */
class SpinLock extends Padded {
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
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

    private void await() {
        SpinBackoff backoff = new SpinBackoff();
        do {
            while (held != 0) {
                backoff.pause(this);
            }
        } while (!HELD.compareAndSet(this, 0, 1));
    }
}
