/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.concurrent.TimeUnit;

/**
 * When a device's file system is to be synced, and at what pace logs are flushed until then. Confined to the device's
 * worker; told the time.
 */
final class SyncfsPlan {
    /*
     * Idea. The kernel writes all that a file has unflushed once the file has been on its list of unflushed ones for 30 s, and a flush does
     * not take it off that list, however soon each byte is flushed. Only the kernel's own writeback does, and a sync of the file
     * system. So a sync in time keeps the kernel away. But it writes at once all that is unflushed, too, so it comes when that is little:
     * the flushes go a bit faster than bytes come in until the backlog is worth a moment, and stand still for a moment before
     * the sync, and after. Then the second of the sync is no higher than others.
     *
     * A backlog that is little again soon after a sync is not synced again: that would be one for nothing, and late in a calm, when
     * the next wave may come during the pause and all of it be written by the sync.
     *
     * The backlog must be drained before the kernel comes. A wave may be in it that would take longer than that at this pace, so the
     * pace is at least what is there over the time left, and half of what comes in meanwhile: when that is not enough, the time left is
     * less at the next look, and the pace higher. In the end more is taken for little, as the kernel would write it all the same. When
     * even that was not in time, the kernel has come, and a new time begins.
     *
     * To drain many logs that take in little each would be many flushes for little. Then the kernel is left to do it.
     */
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** After a sync. */
    private static final long SOONEST_SYNC_NANOS = TimeUnit.SECONDS.toNanos(7);
    /** What the backlog is worth at the mean rate when it is little. */
    private static final long LITTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(320);
    /** The same when the kernel is about to come. */
    private static final long LATE_LITTLE_NANOS = 3 * LITTLE_NANOS;

    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(25);
    /**
     * How long the flushes stand still before the sync; those that were begun take the first tenth of a second of it.
     */
    private static final long PAUSE_BEFORE_NANOS = TimeUnit.MILLISECONDS.toNanos(450);

    private static final long PAUSE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(350);
    /** After a sync; the kernel comes after 30 to 35 s. */
    private static final long LATEST_SYNC_NANOS = TimeUnit.SECONDS.toNanos(29);

    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(32);
    /** What drains the backlog in less than this is a burst as the kernel's. */
    private static final long LEAST_LEFT_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    /** How many times as fast as bytes come in the backlog is drained. */
    private static final double DRAIN = 1.12;

    private static final double HALF = 0.5;
    /** What a log has on average when the backlog is little in any case; whose turn it is has twice as much. */
    private static final long WORTH_BYTES = 64 << 10;
    /** Of less than this the kernel may write as it likes. */
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
     * Looks on; answers whether to sync now.
     *
     * @param logs that are unflushed; more than none
     * @param inflowBytesPerNano the mean
     */
    boolean look(long backlogBytes, int logs, double inflowBytesPerNano, long nowNanos) {
        if (!begun) {
            begun = true;
            enter(Phase.REST, nowNanos);
            syncedNanos = nowNanos;
        }
        drainBytesPerNano = drainRate(backlogBytes, inflowBytesPerNano, nowNanos);
        double worthBytes = (double) WORTH_BYTES * logs;
        long littleNanos = nowNanos - syncedNanos < LATE_NANOS ? LITTLE_NANOS : LATE_LITTLE_NANOS;
        boolean isLittle = backlogBytes <= Math.max(worthBytes, inflowBytesPerNano * littleNanos);
        boolean isWorthIt = inflowBytesPerNano * LATE_LITTLE_NANOS >= worthBytes
                && inflowBytesPerNano * NANOS_PER_SECOND >= WORTH_BYTES_PER_SECOND;
        long inPhaseNanos = nowNanos - sinceNanos;
        if (phase == Phase.REST && inPhaseNanos >= REST_NANOS && isWorthIt) {
            enter(Phase.DRAIN, nowNanos);
        } else if (phase == Phase.DRAIN && nowNanos - syncedNanos > GIVE_UP_NANOS) {
            enter(Phase.REST, nowNanos);
            syncedNanos = nowNanos;
        } else if (phase == Phase.DRAIN && isLittle) {
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

    /** The pace when it was so much without syncs, in bytes a nanosecond. */
    double pace(double steadyRate) {
        return switch (phase) {
            case REST -> steadyRate;
            case DRAIN -> Math.max(steadyRate, drainBytesPerNano);
            case BEFORE_SYNC, AFTER_SYNC -> 0;
        };
    }
}
