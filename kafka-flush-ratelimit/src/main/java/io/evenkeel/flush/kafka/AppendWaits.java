/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.FlushCounts;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Makes a client's append wait for a while, before it takes a lock, when its log has no room. It never fails, and never
 * keeps an append out. Thread safe.
 */
final class AppendWaits {
    /*
     * I5: the appends of one request wait no longer than the longest wait, all together, and no more than a part of the
     *     request handlers wait at a time. Only requests of clients wait: a coordinator may hold a lock that others
     *     need, and a replica that waits falls out of the ISR.
     */
    private static final int PART_OF_HANDLERS = 4;

    private final Semaphore handlers;
    private final FlushCounts counts;
    /** How long the request of this thread may still wait. */
    private final ThreadLocal<Long> leftNanos = ThreadLocal.withInitial(() -> 0L);

    /** @param handlers the number of request handlers of the broker */
    AppendWaits(int handlers, FlushCounts counts) {
        this.handlers = new Semaphore(Math.max(1, handlers / PART_OF_HANDLERS));
        this.counts = counts;
    }

    /** This thread begins to append what one request brings, to any number of logs. */
    void requestBegins(boolean isOfClient, FlushSettings settings) {
        leftNanos.set(
                isOfClient && !settings.isShadow() ? TimeUnit.MILLISECONDS.toNanos(settings.maxAppendWaitMs()) : 0);
    }

    /** An append of this request is about to begin. Returns when it should go on, whether there is room or not. */
    void await(KafkaPacedLog log, int bytes) {
        if (log.hasRoom(bytes)) {
            return;
        }
        long mostNanos = leftNanos.get();
        if (mostNanos > 0 && handlers.tryAcquire()) {
            try {
                leftNanos.set(mostNanos - wait(log, bytes, mostNanos));
            } finally {
                handlers.release();
            }
        }
    }

    /** Answers how long it took. */
    private long wait(KafkaPacedLog log, int bytes, long mostNanos) {
        long beganNanos = System.nanoTime();
        counts.increment(FlushCounter.WAITING_APPENDS);
        counts.increment(FlushCounter.APPEND_WAITS);
        try {
            log.awaitRoom(bytes, mostNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            counts.add(FlushCounter.WAITING_APPENDS, -1);
            counts.add(FlushCounter.APPEND_WAIT_NANOS, System.nanoTime() - beganNanos);
        }
        return System.nanoTime() - beganNanos;
    }
}
