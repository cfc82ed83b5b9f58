/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import org.jspecify.annotations.Nullable;

/**
 * What Kafka tells about a segment as it opens it. Immutable.
 *
 * @param segmentBytes what the segment may grow to
 * @param preallocateBytes the length that a new file gets at once, or 0
 * @param followerPlacement where the topic wants the segments of its followers, or null to take the broker's default
 * @param dataTimeMs the newest timestamp of the records that are about to be appended, or {@link #UNKNOWN_TIME}
 */
public record OpenRequest(
        long segmentBytes, long preallocateBytes, @Nullable Device followerPlacement, long dataTimeMs) {
    /** Newer than everything. */
    public static final long UNKNOWN_TIME = Long.MAX_VALUE;

    /** The same with another length for a new file. */
    public OpenRequest preallocating(long bytes) {
        return bytes == preallocateBytes ? this : new OpenRequest(segmentBytes, bytes, followerPlacement, dataTimeMs);
    }
}
