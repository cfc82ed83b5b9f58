/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The live segments of all partitions. Thread safe; changes of one partition exclude each other.
 *
 * <p>It also knows which segments are sealed: every one but its partition's newest. A segment is sealed when a newer one
 * appears, and open again when all newer ones are gone. The map's lock is taken before a segment's, never after.
 */
final class SegmentMap {
    private final ConcurrentHashMap<Path, ConcurrentNavigableMap<Long, Segment>> partitions = new ConcurrentHashMap<>();

    /** Adds a segment under its present directory and seals what is older, or the segment itself. */
    void add(Segment segment, long nowNanos) {
        partitions.compute(segment.name().dir(), (dir, known) -> {
            ConcurrentNavigableMap<Long, Segment> segments = known == null ? new ConcurrentSkipListMap<>() : known;
            segments.put(segment.baseOffset(), segment);
            if (segments.lastEntry().getValue() == segment) {
                Map.Entry<Long, Segment> older = segments.lowerEntry(segment.baseOffset());
                if (older != null) {
                    seal(older.getValue(), nowNanos);
                }
            } else {
                seal(segment, nowNanos);
            }
            return segments;
        });
    }

    /** Removes a segment from {@code dir}; the newest that is left is appended to from now on. */
    void remove(Path dir, Segment segment) {
        partitions.computeIfPresent(dir, (key, segments) -> {
            segments.remove(segment.baseOffset(), segment);
            Map.Entry<Long, Segment> newest = segments.lastEntry();
            if (newest == null) {
                return null;
            }
            newest.getValue().unseal();
            return segments;
        });
    }

    @Nullable
    Segment find(Path dir, long baseOffset) {
        ConcurrentNavigableMap<Long, Segment> segments = partitions.get(dir);
        return segments == null ? null : segments.get(baseOffset);
    }

    /** Visits every segment; what changes meanwhile may be seen or not. */
    void forEach(Consumer<Segment> visitor) {
        partitions.values().forEach(segments -> segments.values().forEach(visitor));
    }

    private static void seal(Segment segment, long nowNanos) {
        segment.seal(nowNanos);
        if (segment.state() == SegmentState.ONLY_CACHE) {
            segment.logDir().hdd().queue().offer(segment);
        }
    }
}
