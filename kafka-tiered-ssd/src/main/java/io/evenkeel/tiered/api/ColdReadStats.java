/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * What the cold readers of the HDDs do. Immutable.
 *
 * @param bytes read from the HDDs since the start
 * @param busyNanos that these reads took, all HDDs together
 * @param queued chunks that are wanted now
 * @param waitingSends sends that wait for a chunk now
 * @param bufferBytes memory that is allocated for chunks
 */
public record ColdReadStats(long bytes, long busyNanos, long queued, long waitingSends, long bufferBytes) {
    public static final ColdReadStats NONE = new ColdReadStats(0, 0, 0, 0, 0);

    public ColdReadStats plus(ColdReadStats other) {
        return new ColdReadStats(
                bytes + other.bytes,
                busyNanos + other.busyNanos,
                queued + other.queued,
                waitingSends + other.waitingSends,
                bufferBytes + other.bufferBytes);
    }
}
