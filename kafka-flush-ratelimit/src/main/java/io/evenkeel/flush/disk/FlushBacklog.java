/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

/**
 * The unflushed bytes of one or more log directories now, and the plan for them. Immutable.
 *
 * @param bytes that are not flushed yet
 * @param largestBytes the same of the partition that has most of them
 * @param oldestNanos the age of the oldest unflushed byte
 * @param plannedBytesPerSecond the rate at which the pacers flush
 * @param failedLogDirs log directories in which a flush has failed
 */
public record FlushBacklog(
        long bytes, long largestBytes, long oldestNanos, double plannedBytesPerSecond, long failedLogDirs) {
    public static final FlushBacklog NONE = new FlushBacklog(0, 0, 0, 0, 0);

    /** Both together. */
    public FlushBacklog plus(FlushBacklog other) {
        return new FlushBacklog(
                bytes + other.bytes,
                Math.max(largestBytes, other.largestBytes),
                Math.max(oldestNanos, other.oldestNanos),
                plannedBytesPerSecond + other.plannedBytesPerSecond,
                failedLogDirs + other.failedLogDirs);
    }
}
