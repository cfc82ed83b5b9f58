/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.SegmentState;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A segment as the disks show it. Immutable.
 *
 * @param path the name that Kafka knows, in the log directory
 * @param logDir the log directory
 * @param partition what the partition's directory is called
 * @param baseOffset the first offset the segment may hold
 * @param ssdDir the SSD directory it is in; null for {@link SegmentState#WITHOUT_CACHE}
 * @param ssdFile its file there; null for {@link SegmentState#WITHOUT_CACHE}
 * @param lastModifiedMs when its last record was appended, as the file system has it
 * @param isLive false when it only waits to be deleted or swapped in
 * @param isNewest true for the live segment of a partition that is appended to
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

    /** True when the evictor of a running broker may take it. */
    public boolean isEvictable() {
        return state == SegmentState.CACHED && isLive && !isNewest;
    }
}
