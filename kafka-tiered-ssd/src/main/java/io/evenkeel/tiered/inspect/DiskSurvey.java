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
 * What the disks of a broker hold, seen in one walk over both. Immutable.
 *
 * <p>The broker may be running: then the walk is not one instant, and a problem may be a step of its work. What two
 * surveys in a row agree on is one.
 *
 * @param segments in the order of log directory, partition and base offset
 * @param usedBytes what the files in each SSD directory hold, without what is promised to segments that grow
 */
public record DiskSurvey(List<SurveyedSegment> segments, List<DiskProblem> problems, Map<Path, Long> usedBytes) {
    public DiskSurvey {
        segments = List.copyOf(segments);
        problems = List.copyOf(problems);
        usedBytes = Map.copyOf(usedBytes);
    }

    /**
     * Walks over all directories; reads names, sizes and times only, and changes nothing.
     *
     * @throws IOException when a directory cannot be read
     */
    public static DiskSurvey take(List<LogDirMeta> logDirs, List<Path> ssdDirs) throws IOException {
        return new DiskWalk(logDirs, ssdDirs).survey();
    }

    /** This survey, with only those problems that an earlier one has seen too. */
    public DiskSurvey confirming(DiskSurvey earlier) {
        return new DiskSurvey(
                segments, problems.stream().filter(earlier.problems::contains).toList(), usedBytes);
    }

    /** The segments that are only on an SSD, whatever they are called and whether they wait to be deleted or not. */
    public List<SurveyedSegment> links() {
        return segments.stream()
                .filter(segment -> segment.state() == SegmentState.ONLY_CACHE)
                .toList();
    }

    /**
     * The segments that would leave an SSD next, in this order, to get from {@code fromBytes} down to {@code toBytes};
     * all that may leave when that is not enough.
     */
    public List<SurveyedSegment> nextToLeave(Path ssdDir, long fromBytes, long toBytes) {
        List<EvictionPolicy.Candidate<SurveyedSegment>> candidates = segments.stream()
                .filter(segment -> ssdDir.equals(segment.ssdDir()) && segment.isEvictable())
                .map(segment -> new EvictionPolicy.Candidate<>(segment, segment.lastModifiedMs(), segment.sizeBytes()))
                .toList();
        return EvictionPolicy.victims(candidates, fromBytes, toBytes, toBytes);
    }
}
