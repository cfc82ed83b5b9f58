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
    /** Without segments since one was removed: nobody may add to it any more. */
    private boolean abandoned;

    /** @param toCopy takes each sealed segment that has to be copied to its HDD */
    PartitionSegments(Consumer<Segment> toCopy) {
        this.toCopy = toCopy;
    }

    /**
     * Adds a segment and seals what is older, or the segment itself.
     *
     * @return false when the partition was forgotten meanwhile; ask for it again
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
     * Removes a segment; the newest that is left is appended to from now on.
     *
     * @return true when none is left
     */
    synchronized boolean remove(Segment segment) {
        if (segments.remove(segment.baseOffset(), segment) && segment == newest) {
            newest = segments.values().stream()
                    .max((a, b) -> Long.compare(a.baseOffset(), b.baseOffset()))
                    .orElse(null);
            if (newest != null) {
                newest.unseal();
            }
        }
        abandoned = segments.isEmpty();
        return abandoned;
    }

    @Nullable
    Segment find(long baseOffset) {
        return segments.get(baseOffset);
    }

    /** Visits every segment; what changes meanwhile may be seen or not. */
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
