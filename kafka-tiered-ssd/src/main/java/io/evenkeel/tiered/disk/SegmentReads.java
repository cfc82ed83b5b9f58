/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.Device;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one segment: they count for its HDD and, in the shadow, for the SSD that it would be on. Thread safe.
 */
public final class SegmentReads {
    private final ReadStats stats;
    private final @Nullable ShadowFile shadow;

    /**
     * @param stats of the HDD
     * @param shadow null when there is no shadow
     */
    public SegmentReads(ReadStats stats, @Nullable ShadowFile shadow) {
        this.stats = stats;
        this.shadow = shadow;
    }

    /** As {@link ReadStats#begin}. */
    public long begin(Device device) {
        return stats.begin(device);
    }

    /** As {@link ReadStats#end}, of a read at that position. */
    public void end(Device device, long begunNanos, long position, long bytes) {
        long nanos = stats.end(device, begunNanos, bytes);
        if (shadow != null) {
            shadow.read(position, bytes, nanos);
        }
    }

    /** As {@link ReadStats#served}, at that position. */
    public void served(Device device, long position, long bytes) {
        stats.served(device, bytes);
        if (shadow != null) {
            shadow.read(position, bytes, 0);
        }
    }
}
