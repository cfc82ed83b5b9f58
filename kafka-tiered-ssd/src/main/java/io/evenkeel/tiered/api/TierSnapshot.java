/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.util.EnumMap;
import java.util.Map;

/**
 * The tier's contents at one instant, and its work since the start. Immutable.
 *
 * @param segments live segments by state
 * @param bytes their bytes by state
 * @param ssdCapacityBytes the capacity of all SSDs that are not suspect
 * @param ssdUsedBytes reserved by segments, including the space that active ones have not written to yet
 * @param ssdWrittenBytes appended to segments on the SSDs since the start
 * @param copyBytesPerSecond the present pace of all copies together; 0 while the tier is paused
 * @param copyLag the segments that wait to be copied to the HDDs
 * @param quarantinedSegments not copied or evicted any more after failures
 * @param placedOnHdd new segments since the start that went to the HDD, by reason
 * @param spilledSegments carried to the HDD since the start because the SSD was full in the middle of an append
 * @param suspectSsds SSDs that have failed and get no new segments
 * @param hddWaits reads that waited for an HDD, rather than finding their bytes in the page cache
 * @param coldReads what the cold readers do
 * @param shadow what a tier in the shadow would do
 */
public record TierSnapshot(
        Map<SegmentState, Long> segments,
        Map<SegmentState, Long> bytes,
        long ssdCapacityBytes,
        long ssdUsedBytes,
        long ssdWrittenBytes,
        long copiedSegments,
        long copiedBytes,
        long copyFailures,
        long copyBytesPerSecond,
        CopyLag copyLag,
        long quarantinedSegments,
        long evictedSegments,
        long evictedBytes,
        Map<HddReason, Long> placedOnHdd,
        long spilledSegments,
        long suspectSsds,
        DeviceStats ssdUse,
        DeviceStats hddUse,
        ReadWaits hddWaits,
        ColdReadStats coldReads,
        ShadowStats shadow) {

    public TierSnapshot {
        segments = Map.copyOf(segments);
        bytes = Map.copyOf(bytes);
        placedOnHdd = Map.copyOf(placedOnHdd);
    }

    /** New segments since the start that belonged on an SSD and could not go there. */
    public long refusedBySsd() {
        return placedOnHdd.entrySet().stream()
                .filter(entry -> entry.getKey().isRefusal())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** The bytes that fit before new segments go to the HDDs, if nothing is copied from now on. */
    public long roomBytes() {
        return Math.max(0, ssdCapacityBytes - ssdUsedBytes + bytes.getOrDefault(SegmentState.CACHED, 0L));
    }

    /** A map with a zero for every state. */
    public static Map<SegmentState, Long> zeros() {
        Map<SegmentState, Long> zeros = new EnumMap<>(SegmentState.class);
        for (SegmentState state : SegmentState.values()) {
            zeros.put(state, 0L);
        }
        return zeros;
    }
}
