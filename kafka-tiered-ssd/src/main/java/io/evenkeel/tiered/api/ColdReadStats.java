/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * What the cold readers do. Immutable.
 *
 * @param bytes read from the HDDs since the start
 * @param busyNanos that these reads took, all HDDs together
 * @param queued chunks of HDDs that are wanted now
 * @param waitingSends sends that wait for a chunk now, of an HDD or an SSD
 * @param bufferBytes memory that is allocated for chunks, of HDDs and SSDs
 */
public record ColdReadStats(long bytes, long busyNanos, long queued, long waitingSends, long bufferBytes) {
    public static final ColdReadStats NONE = new ColdReadStats(0, 0, 0, 0, 0);

    /** What counts of the reader of an SSD. */
    public ColdReadStats ofSsd() {
        return new ColdReadStats(0, 0, 0, waitingSends, bufferBytes);
    }

    public ColdReadStats plus(ColdReadStats other) {
        return new ColdReadStats(
                bytes + other.bytes,
                busyNanos + other.busyNanos,
                queued + other.queued,
                waitingSends + other.waitingSends,
                bufferBytes + other.bufferBytes);
    }
}
