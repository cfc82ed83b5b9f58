/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.HandlerShare;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Lets appends to one log directory hold their request handlers, as {@link HandlerShare} says. Thread safe. */
final class Handlers {
    private final HandlerShare share;
    private final IntSupplier logDirs;

    /**
     * @param handlers that the broker has
     * @param logDirs that it has now
     */
    Handlers(int handlers, IntSupplier logDirs) {
        this.share = new HandlerShare(handlers);
        this.logDirs = logDirs;
    }

    /** Waits while others are about to leave. Null when they are not. */
    HandlerShare.@Nullable Held enter() {
        synchronized (share) {
            try {
                while (true) {
                    long nowNanos = System.nanoTime();
                    HandlerShare.Held held = share.enter(logDirs.getAsInt(), nowNanos);
                    long patienceNanos = held == null ? share.patienceNanos(nowNanos) : 0;
                    if (patienceNanos <= 0) {
                        return held;
                    }
                    TimeUnit.NANOSECONDS.timedWait(share, patienceNanos);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
    }

    /** For one that was let in before; to be left like the others. */
    HandlerShare.Held stay() {
        synchronized (share) {
            return share.stay(System.nanoTime());
        }
    }

    /** Whether an append that has found no room may wait for it. */
    boolean mayWait(HandlerShare.Held held) {
        return held.mayWait(logDirs.getAsInt());
    }

    void leave(HandlerShare.Held held) {
        synchronized (share) {
            held.leave(System.nanoTime());
            share.notify();
        }
    }
}
