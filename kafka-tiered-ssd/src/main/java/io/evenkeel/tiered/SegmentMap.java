/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.file.SegmentFileName;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The live segments of all partitions, by the partition's directory. Thread safe. */
final class SegmentMap {
    private final ConcurrentHashMap<Path, PartitionSegments> partitions = new ConcurrentHashMap<>();
    private final Consumer<Segment> toCopy;

    /** @param toCopy takes each sealed segment that has to be copied to its HDD */
    SegmentMap(Consumer<Segment> toCopy) {
        this.toCopy = toCopy;
    }

    /** Adds a segment under its present directory. */
    void add(Segment segment, long nowNanos) {
        Path dir = segment.name().dir();
        PartitionSegments partition = partitions.computeIfAbsent(dir, key -> new PartitionSegments(toCopy));
        boolean stray = SegmentFileName.isStray(dir);
        if (stray) {
            segment.life().abandon(nowNanos);
        }
        while (!partition.add(segment, nowNanos)) {
            partitions.remove(dir, partition); // the thread that removed its last segment is about to do the same
            partition = partitions.computeIfAbsent(dir, key -> new PartitionSegments(toCopy));
        }
        if (stray && segment.isWaiting()) {
            toCopy.accept(segment);
        }
    }

    /** Removes a segment from {@code dir}. */
    void remove(Path dir, Segment segment) {
        PartitionSegments partition = partitions.get(dir);
        if (partition != null && partition.remove(segment)) {
            partitions.remove(dir, partition);
        }
    }

    @Nullable
    Segment find(Path dir, long baseOffset) {
        PartitionSegments partition = partitions.get(dir);
        return partition == null ? null : partition.find(baseOffset);
    }

    /** Visits every segment; changes during the visit may be seen or not. */
    void forEach(Consumer<Segment> visitor) {
        partitions.values().forEach(partition -> partition.forEach(visitor));
    }
}
