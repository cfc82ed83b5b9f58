/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.DynamicTierSettings;

/**
 * The bytes that the files of one SSD may hold before eviction begins, and those at which it stops. Immutable.
 *
 * @param highBytes above it, eviction begins
 * @param lowBytes at most {@code highBytes}
 */
public record Watermarks(long highBytes, long lowBytes) {
    /** After a refusal there is room again for two new segments. */
    private static final long REFUSED_ROOM_BYTES = 128 << 20;
    /** But not more than this part of a small SSD. */
    private static final int REFUSED_ROOM_PART = 8;

    /**
     * Those of an SSD now.
     *
     * @param refused true when a new segment has found no room: then eviction begins at once
     */
    public static Watermarks of(SsdDir ssd, DynamicTierSettings settings, boolean refused) {
        long limitBytes = ssd.limitBytes();
        long lowBytes = (long) (limitBytes * settings.lowWatermarkRatio());
        if (!refused) {
            return new Watermarks((long) (limitBytes * settings.highWatermarkRatio()), lowBytes);
        }
        long roomBytes = Math.min(REFUSED_ROOM_BYTES, limitBytes / REFUSED_ROOM_PART);
        long refusedBytes = Math.max(0, Math.min(lowBytes, limitBytes - ssd.unwrittenBytes() - roomBytes));
        return new Watermarks(refusedBytes, refusedBytes);
    }

    /** The bytes to evict when the files hold that much; 0 when there is no need to. */
    public long excessBytes(long heldBytes) {
        return heldBytes <= highBytes ? 0 : heldBytes - lowBytes;
    }
}
