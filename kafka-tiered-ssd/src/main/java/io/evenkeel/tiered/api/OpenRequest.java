/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import org.jspecify.annotations.Nullable;

/**
 * Kafka's request to open a segment. Immutable.
 *
 * @param segmentBytes the size that the segment may grow to
 * @param preallocateBytes the length that a new file gets at once, or 0
 * @param followerPlacement the topic's device for the segments of its followers, or null for the broker's default
 */
public record OpenRequest(
        long segmentBytes, long preallocateBytes, @Nullable Device followerPlacement) {
    /** The same with another length for a new file. */
    public OpenRequest preallocating(long bytes) {
        return bytes == preallocateBytes ? this : new OpenRequest(segmentBytes, bytes, followerPlacement);
    }
}
