/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.SegmentState;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The live segments of one partition. Thread safe; changes exclude each other.
 *
 * <p>Every segment but the newest is sealed. The lock here is taken before a segment's, never after.
 */
final class PartitionSegments {
    private final ConcurrentHashMap<Long, Segment> segments = new ConcurrentHashMap<>();
    private final Consumer<Segment> toCopy;
    private @Nullable Segment newest;
    /** The last segment was removed: no segment may be added any more. */
    private boolean abandoned;

    /** @param toCopy takes each sealed segment that has to be copied to its HDD */
    PartitionSegments(Consumer<Segment> toCopy) {
        this.toCopy = toCopy;
    }

    /**
     * Adds a segment and seals the one before it, or the segment itself when there is a newer one.
     *
     * @return false when the partition was abandoned meanwhile; look it up again
     */
    synchronized boolean add(Segment segment, long nowNanos) {
        if (abandoned) {
            return false;
        }
        segments.put(segment.baseOffset(), segment);
        Segment last = newest;
        if (last != null && last.baseOffset() > segment.baseOffset()) {
            seal(segment, nowNanos);
            return true;
        }
        newest = segment;
        if (last != null && last.baseOffset() < segment.baseOffset()) {
            seal(last, nowNanos);
        }
        return true;
    }

    /**
     * Removes a segment; Kafka appends to the newest one that is left from now on.
     *
     * @return true when none is left
     */
    synchronized boolean remove(Segment segment) {
        if (segments.remove(segment.baseOffset(), segment) && segment == newest) {
            newest = segments.values().stream()
                    .max((a, b) -> Long.compare(a.baseOffset(), b.baseOffset()))
                    .orElse(null);
            if (newest != null) {
                newest.life().unseal();
            }
        }
        abandoned = segments.isEmpty();
        return abandoned;
    }

    @Nullable
    Segment find(long baseOffset) {
        return segments.get(baseOffset);
    }

    /** Visits every segment; changes during the visit may be seen or not. */
    void forEach(Consumer<Segment> visitor) {
        segments.values().forEach(visitor);
    }

    private void seal(Segment segment, long nowNanos) {
        segment.seal(nowNanos);
        if (segment.state() == SegmentState.ONLY_CACHE) {
            toCopy.accept(segment);
        }
    }
}
