/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.EvictionPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The segments and problems on a broker's disks, found in one walk over both devices. Immutable.
 *
 * <p>If the broker is running, files change during the walk, and an apparent problem may be a step of the broker's
 * work. A problem counts when two surveys in a row find it.
 *
 * @param segments in the order of log directory, partition and base offset
 * @param usedBytes the bytes of the files in each SSD directory, without the space reserved for active segments
 * @param unknownBytes those of them that belong to none of the log directories, by the directory that they are in
 */
public record DiskSurvey(
        List<SurveyedSegment> segments,
        List<DiskProblem> problems,
        Map<Path, Long> usedBytes,
        Map<Path, Long> unknownBytes) {
    public DiskSurvey {
        segments = List.copyOf(segments);
        problems = List.copyOf(problems);
        usedBytes = Map.copyOf(usedBytes);
        unknownBytes = Map.copyOf(unknownBytes);
    }

    /**
     * Walks over all directories; reads names, sizes and times only, and changes nothing.
     *
     * @throws IOException when a directory cannot be read
     */
    public static DiskSurvey take(List<LogDirMeta> logDirs, List<Path> ssdDirs) throws IOException {
        return new DiskWalk(logDirs, ssdDirs).survey();
    }

    /** This survey with only those problems that an earlier survey also found. */
    public DiskSurvey confirming(DiskSurvey earlier) {
        return new DiskSurvey(
                segments, problems.stream().filter(earlier.problems::contains).toList(), usedBytes, unknownBytes);
    }

    /** All segments that are only on an SSD, including those that wait to be deleted. */
    public List<SurveyedSegment> links() {
        return segments.stream()
                .filter(segment -> segment.state() == SegmentState.ONLY_CACHE)
                .toList();
    }

    /**
     * The segments that would be evicted from an SSD next, in this order, to get from {@code fromBytes} down to
     * {@code toBytes}; all evictable segments when those are not enough.
     *
     * @param nowMs the time, in ms since 1970
     */
    public List<SurveyedSegment> nextEvictions(Path ssdDir, long fromBytes, long toBytes, long nowMs) {
        List<EvictionPolicy.Candidate<SurveyedSegment>> candidates = segments.stream()
                .filter(segment -> ssdDir.equals(segment.ssdDir()) && segment.isEvictable())
                .map(segment -> new EvictionPolicy.Candidate<>(segment, segment.lastModifiedMs(), segment.sizeBytes()))
                .toList();
        return EvictionPolicy.victims(candidates, fromBytes - toBytes, nowMs);
    }
}
