/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.SegmentState;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A segment as found on the disks. Immutable.
 *
 * @param path Kafka's path of the segment, in the log directory
 * @param logDir the log directory
 * @param partition the name of the partition's directory
 * @param baseOffset the first offset the segment may hold
 * @param ssdDir the SSD directory it is in; null for {@link SegmentState#WITHOUT_CACHE}
 * @param ssdFile its file there; null for {@link SegmentState#WITHOUT_CACHE}
 * @param lastModifiedMs the file's time of last write, that is, of the last append
 * @param isLive false when it waits to be deleted or swapped in
 * @param isNewest true for the active segment of a partition
 */
public record SurveyedSegment(
        Path path,
        Path logDir,
        String partition,
        long baseOffset,
        SegmentState state,
        @Nullable Path ssdDir,
        @Nullable Path ssdFile,
        long sizeBytes,
        long lastModifiedMs,
        boolean isLive,
        boolean isNewest) {

    SurveyedSegment newest() {
        return new SurveyedSegment(
                path, logDir, partition, baseOffset, state, ssdDir, ssdFile, sizeBytes, lastModifiedMs, isLive, true);
    }

    /** True when the evictor of a running broker may evict it. */
    public boolean isEvictable() {
        return state == SegmentState.CACHED && isLive && !isNewest;
    }
}
