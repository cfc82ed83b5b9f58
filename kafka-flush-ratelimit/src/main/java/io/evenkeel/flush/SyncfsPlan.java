/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.concurrent.TimeUnit;

/**
 * Decides when to call syncfs for a device's file system, and at what pace logs are flushed until then. Confined to the
 * device's worker; time is an argument.
 */
final class SyncfsPlan {
    /*
     * Idea. The kernel writes all dirty pages of a file once the file has been on its list of dirty files for 30 s, and
     * an fsync does not take the file off that list, however soon each byte is flushed. Only the kernel's own writeback
     * and syncfs do. So a syncfs in time prevents the kernel's burst. But syncfs itself writes all dirty pages at once,
     * so it should come when there are few: the flushes go a bit faster than bytes come in until the backlog is small,
     * and pause for a moment before the syncfs and after it. Then the second of the syncfs writes no more than others.
     *
     * When the backlog is small again soon after a syncfs, there is no other syncfs: it would be useless, and if it
     * came late in a calm, the next wave might come during the pause and the syncfs would write all of it.
     *
     * The backlog must be drained before the kernel writes. A large wave would take longer than that at this pace, so
     * the pace is at least the backlog divided by the time left, plus half of the inflow: when that is not enough, the
     * time left is shorter at the next turn, and the pace higher. Shortly before the kernel writes, a larger backlog
     * counts as small, because the kernel would write it anyway. When even that was too late, the kernel has written,
     * and a new period begins.
     *
     * Draining many logs with little inflow each would take many small flushes. Then the kernel is left to write.
     */
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** After the last syncfs. */
    private static final long SOONEST_SYNC_NANOS = TimeUnit.SECONDS.toNanos(7);
    /** A backlog is small if it comes in within this time, at the mean rate. */
    private static final long SMALL_NANOS = TimeUnit.MILLISECONDS.toNanos(320);
    /** The same shortly before the kernel writes. */
    private static final long LATE_SMALL_NANOS = 3 * SMALL_NANOS;

    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(25);
    /** The pause of the flushes before the syncfs; flushes that have begun take the first tenth of a second of it. */
    private static final long PAUSE_BEFORE_NANOS = TimeUnit.MILLISECONDS.toNanos(450);

    private static final long PAUSE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(350);
    /** After the last syncfs; the kernel writes after 30 to 35 s. */
    private static final long LATEST_SYNC_NANOS = TimeUnit.SECONDS.toNanos(29);

    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(32);
    /** Draining the backlog in less time would be a burst like the kernel's. */
    private static final long LEAST_LEFT_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    /** The drain rate, in multiples of the inflow rate. */
    private static final double DRAIN = 1.12;

    private static final double HALF = 0.5;
    /** A backlog of this mean size per log is always small; the log that is flushed next has twice as much. */
    private static final long WORTH_BYTES = 64 << 10;
    /** With a lower inflow the kernel's bursts do no harm. */
    private static final double WORTH_BYTES_PER_SECOND = 1e6;

    private enum Phase {
        REST,
        DRAIN,
        BEFORE_SYNC,
        AFTER_SYNC
    }

    private Phase phase = Phase.REST;
    private boolean begun;
    private long sinceNanos;
    private long syncedNanos;
    private double drainBytesPerNano;

    /**
     * Moves on to the current phase; answers whether to call syncfs now.
     *
     * @param logs the number of logs with unflushed bytes; at least one
     * @param inflowBytesPerNano the mean inflow rate
     */
    boolean shouldSync(long backlogBytes, int logs, double inflowBytesPerNano, long nowNanos) {
        if (!begun) {
            begun = true;
            enter(Phase.REST, nowNanos);
            syncedNanos = nowNanos;
        }
        drainBytesPerNano = drainRate(backlogBytes, inflowBytesPerNano, nowNanos);
        double worthBytes = (double) WORTH_BYTES * logs;
        long smallNanos = nowNanos - syncedNanos < LATE_NANOS ? SMALL_NANOS : LATE_SMALL_NANOS;
        boolean isSmall = backlogBytes <= Math.max(worthBytes, inflowBytesPerNano * smallNanos);
        boolean isWorthIt = inflowBytesPerNano * LATE_SMALL_NANOS >= worthBytes
                && inflowBytesPerNano * NANOS_PER_SECOND >= WORTH_BYTES_PER_SECOND;
        long inPhaseNanos = nowNanos - sinceNanos;
        if (phase == Phase.REST && inPhaseNanos >= REST_NANOS && isWorthIt) {
            enter(Phase.DRAIN, nowNanos);
        } else if (phase == Phase.DRAIN && nowNanos - syncedNanos > GIVE_UP_NANOS) {
            enter(Phase.REST, nowNanos);
            syncedNanos = nowNanos;
        } else if (phase == Phase.DRAIN && isSmall) {
            enter(nowNanos - syncedNanos < SOONEST_SYNC_NANOS ? Phase.REST : Phase.BEFORE_SYNC, nowNanos);
        } else if (phase == Phase.BEFORE_SYNC && inPhaseNanos >= PAUSE_BEFORE_NANOS) {
            enter(Phase.AFTER_SYNC, nowNanos);
            syncedNanos = nowNanos;
            return true;
        } else if (phase == Phase.AFTER_SYNC && inPhaseNanos >= PAUSE_AFTER_NANOS) {
            enter(Phase.REST, nowNanos);
        }
        return false;
    }

    private void enter(Phase next, long nowNanos) {
        phase = next;
        sinceNanos = nowNanos;
    }

    private double drainRate(long backlogBytes, double inflowBytesPerNano, long nowNanos) {
        long leftNanos = Math.max(LEAST_LEFT_NANOS, LATEST_SYNC_NANOS - (nowNanos - syncedNanos));
        return Math.max(DRAIN * inflowBytesPerNano, HALF * inflowBytesPerNano + (double) backlogBytes / leftNanos);
    }

    /** The pace in bytes per nanosecond, given the pace without syncfs. */
    double pace(double steadyRate) {
        return switch (phase) {
            case REST -> steadyRate;
            case DRAIN -> Math.max(steadyRate, drainBytesPerNano);
            case BEFORE_SYNC, AFTER_SYNC -> 0;
        };
    }
}
