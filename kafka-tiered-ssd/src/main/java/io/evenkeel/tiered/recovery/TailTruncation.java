/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.api.TruncatedTail;
import io.evenkeel.tiered.file.SegmentFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The plan to truncate one partition at its first missing segment. Immutable.
 *
 * <p>The result is what Kafka itself makes of a truncation to that offset: the older segments as they were, and an
 * empty one at the offset.
 *
 * @param newerFiles the files to remove, the newest first: an interrupted removal leaves a shorter log, never a hole
 * @param firstSegment the link that an empty file replaces at the end
 * @param newEndOffset where the log ends afterwards
 * @param losesRecords false when no record is lost, so that the replica stays complete
 * @param tail the summary that is logged for the operator
 */
record TailTruncation(
        Path logDir,
        Path partition,
        List<Path> newerFiles,
        Path firstSegment,
        long newEndOffset,
        boolean losesRecords,
        TruncatedTail tail) {
    private static final String SNAPSHOT_SUFFIX = ".snapshot";

    TailTruncation {
        newerFiles = List.copyOf(newerFiles);
    }

    static TailTruncation of(ScannedTail scanned) {
        Path partition = scanned.partition();
        long fromOffset = scanned.fromOffset();
        KafkaCheckpoints checkpoints = scanned.checkpoints();
        Path firstSegment = partition.resolve(String.format("%020d.log", fromOffset));
        int segments = 0;
        long knownEndOffset = Math.max(fromOffset, checkpoints.flushedEnd(partition));
        List<Path> newerFiles = new ArrayList<>();
        for (Path file : scanned.files()) {
            long offset = SegmentFileName.leadingOffset(file);
            SegmentFileName name = SegmentFileName.parse(file);
            if (name != null && name.isLive()) {
                segments++;
                knownEndOffset = Math.max(knownEndOffset, offset);
            }
            // the snapshot at this offset is the state of the producers before it, which is still true
            boolean kept =
                    file.equals(firstSegment) || SegmentFileName.nameOf(file).endsWith(SNAPSHOT_SUFFIX);
            if (offset > fromOffset || !kept) {
                newerFiles.add(file);
            }
        }
        newerFiles.sort(Comparator.comparing(SegmentFileName::leadingOffset).reversed());
        return new TailTruncation(
                scanned.logDir().path(),
                partition,
                newerFiles,
                firstSegment,
                // Kafka's loader moves a log that ends before its start
                Math.max(fromOffset, checkpoints.logStart(partition)),
                !checkpoints.isClean() || checkpoints.flushedEnd(partition) != fromOffset,
                new TruncatedTail(partition, fromOffset, segments, knownEndOffset));
    }

    boolean covers(long baseOffset) {
        return baseOffset >= tail.fromOffset();
    }
}
