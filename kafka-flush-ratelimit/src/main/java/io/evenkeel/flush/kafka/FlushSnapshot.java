/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

/**
 * What flushing by rate has to do and has done, over all log directories. Immutable.
 *
 * @param pendingBytes that are dirty now
 * @param mostPendingBytes of one log, now
 * @param oldestPendingNanos how long the oldest dirty byte has been so
 * @param highestBytes that one log has ever had dirty
 * @param highestSpanNanos that ever lay between the first and the last dirty byte of one log
 * @param bytesPerSecond that the plan needs
 */
public record FlushSnapshot(
        long pendingBytes,
        long mostPendingBytes,
        long oldestPendingNanos,
        long highestBytes,
        long highestSpanNanos,
        long bytesPerSecond,
        long forces,
        long forcedBytes,
        long forceNanos,
        long longestForceNanos,
        long turnWaitNanos,
        long escapes,
        long syncs,
        long waitingAppends,
        long appendWaits,
        long appendWaitNanos,
        long refusedAppends,
        long putOffAppends,
        long failedLogDirs) {

    static final FlushSnapshot NONE = new FlushSnapshot(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    FlushSnapshot plus(FlushSnapshot other) {
        return new FlushSnapshot(
                pendingBytes + other.pendingBytes,
                Math.max(mostPendingBytes, other.mostPendingBytes),
                Math.max(oldestPendingNanos, other.oldestPendingNanos),
                Math.max(highestBytes, other.highestBytes),
                Math.max(highestSpanNanos, other.highestSpanNanos),
                bytesPerSecond + other.bytesPerSecond,
                forces + other.forces,
                forcedBytes + other.forcedBytes,
                forceNanos + other.forceNanos,
                Math.max(longestForceNanos, other.longestForceNanos),
                turnWaitNanos + other.turnWaitNanos,
                escapes + other.escapes,
                syncs + other.syncs,
                waitingAppends + other.waitingAppends,
                appendWaits + other.appendWaits,
                appendWaitNanos + other.appendWaitNanos,
                refusedAppends + other.refusedAppends,
                putOffAppends + other.putOffAppends,
                failedLogDirs + other.failedLogDirs);
    }
}
