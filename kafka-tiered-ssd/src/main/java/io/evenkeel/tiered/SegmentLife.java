/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How far a segment's life has come, and whether it is to leave the SSD. Thread safe.
 *
 * <pre>
 *              seal()
 *          ──────────────▶
 *   ACTIVE                 SEALED
 *          ◀──────────────
 *     │       unseal()       │
 *     │ close()              │ close()
 *     └──────▶ CLOSED ◀──────┘
 * </pre>
 *
 * Three flags go beside it. A segment that is <i>draining</i> is to leave the SSD although it is active: all do in a
 * drain, and those that nobody appends to when the SSD is full. So is one that is <i>abandoned</i>: nobody appends to a
 * stray replica any more. One that is <i>quarantined</i> is neither copied nor evicted any more.
 */
final class SegmentLife {
    private enum Phase {
        /** The newest of its partition: Kafka appends to it. */
        ACTIVE,
        /** The partition has a newer one. */
        SEALED,
        /** Kafka has closed or deleted it. */
        CLOSED
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ACTIVE);
    private volatile boolean draining;
    private volatile boolean abandoned;
    private volatile boolean quarantined;
    private volatile long waitingSinceNanos;
    /** Written by the copier alone. */
    private volatile int copyFailures;
    /** Written by the evictor alone. */
    private volatile int evictFailures;

    void seal(long nowNanos) {
        if (phase.get() == Phase.ACTIVE) {
            waitingSinceNanos = nowNanos;
            phase.compareAndSet(Phase.ACTIVE, Phase.SEALED);
        }
    }

    void unseal() {
        phase.compareAndSet(Phase.SEALED, Phase.ACTIVE);
    }

    void close() {
        phase.set(Phase.CLOSED);
    }

    boolean isClosed() {
        return phase.get() == Phase.CLOSED;
    }

    /** Says whether the segment is to leave the SSD even while it is active. */
    void draining(boolean on, long nowNanos) {
        if (on && !draining && phase.get() == Phase.ACTIVE) {
            waitingSinceNanos = nowNanos;
        }
        draining = on;
    }

    /**
     * Its bytes change: unless this is a drain, which notices it again, it may stay.
     *
     * @throws ClosedChannelException when it is closed: its name may belong to another segment by now
     */
    void changes() throws ClosedChannelException {
        if (isClosed()) {
            throw new ClosedChannelException();
        }
        if (draining) {
            draining = false;
        }
    }

    boolean isActive() {
        return phase.get() == Phase.ACTIVE;
    }

    /** The replica has become a stray one: its newest segment leaves the SSD as well. */
    void abandon(long nowNanos) {
        if (!abandoned && phase.get() == Phase.ACTIVE) {
            waitingSinceNanos = nowNanos;
        }
        abandoned = true;
    }

    /** A failure has made a device suspect: the segment is not copied or evicted until the next start. */
    void quarantine() {
        quarantined = true;
    }

    boolean isQuarantined() {
        return quarantined;
    }

    /** True when the segment is to leave the SSD: sealed, draining or abandoned, and neither closed nor quarantined. */
    boolean isLeavingSsd() {
        Phase now = phase.get();
        return (now == Phase.SEALED || ((draining || abandoned) && now == Phase.ACTIVE)) && !quarantined;
    }

    /** When it began to wait for its copy; meaningful only while {@link #isLeavingSsd()}. */
    long waitingSinceNanos() {
        return waitingSinceNanos;
    }

    /**
     * Counts a copy that failed; for the copier alone.
     *
     * @return the failures so far
     */
    int copyFailed() {
        int failures = copyFailures + 1;
        copyFailures = failures;
        return failures;
    }

    /** Counts an eviction that failed; for the evictor alone. */
    void evictFailed() {
        int failures = evictFailures + 1;
        evictFailures = failures;
    }

    /** True when so many copies or evictions have failed that a drain should not wait for one that succeeds. */
    boolean keepsFailing() {
        return Math.max(copyFailures, evictFailures) >= SegmentCopier.MAX_FAILURES;
    }
}
