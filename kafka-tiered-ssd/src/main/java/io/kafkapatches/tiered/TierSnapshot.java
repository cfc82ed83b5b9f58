/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.util.EnumMap;
import java.util.Map;

/**
 * What the tier holds at one instant, and what it has done since the start. Immutable.
 *
 * @param segments live segments by state
 * @param bytes their bytes by state
 */
public record TierSnapshot(
        Map<SegmentState, Long> segments,
        Map<SegmentState, Long> bytes,
        long ssdUsedBytes,
        long syncedSegments,
        long syncedBytes,
        long syncFailures,
        long evictedSegments,
        long evictedBytes,
        long placedOnHdd,
        long ssdReadBytes,
        long hddReadBytes) {

    public TierSnapshot {
        segments = Map.copyOf(segments);
        bytes = Map.copyOf(bytes);
    }

    /** A map with a zero for every state. */
    static Map<SegmentState, Long> zeros() {
        Map<SegmentState, Long> zeros = new EnumMap<>(SegmentState.class);
        for (SegmentState state : SegmentState.values()) {
            zeros.put(state, 0L);
        }
        return zeros;
    }
}
