/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.api.TruncatedTail;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is left of a partition from its first missing segment on, and has to go. Not thread safe; made for one start.
 *
 * <p>The result is what Kafka itself makes of a truncation to that offset: the older segments as they were, and an
 * empty one at the offset. Cut off at any instant, it leaves the link of the first missing segment in place, so that
 * the next start refuses, or goes on with it: that link goes last, when the removal of the others is durable.
 */
final class TailTruncation {
    private static final String SNAPSHOT_SUFFIX = ".snapshot";

    private final FileOps files;
    private final LogDir logDir;
    private final Path partition;
    private final long fromOffset;
    private final long newEndOffset;
    private final boolean wasEmpty;
    private final List<Path> newerFiles = new ArrayList<>();
    private final TruncatedTail givenUp;

    /**
     * Looks at the partition; changes nothing.
     *
     * @param checkpoints of the log directory
     */
    TailTruncation(FileOps files, LogDir logDir, Path partition, long fromOffset, KafkaCheckpoints checkpoints)
            throws IOException {
        this.files = files;
        this.logDir = logDir;
        this.partition = partition;
        this.fromOffset = fromOffset;
        int segments = 0;
        long knownEndOffset = Math.max(fromOffset, checkpoints.flushedEnd(partition));
        for (Path file : FileReads.children(partition)) {
            long offset = SegmentFileName.leadingOffset(file);
            if (offset < fromOffset) {
                continue;
            }
            SegmentFileName name = SegmentFileName.parse(file);
            if (name != null && name.isLive()) {
                segments++;
                knownEndOffset = Math.max(knownEndOffset, offset);
            }
            if (offset > fromOffset || !isKept(file)) {
                newerFiles.add(file);
            }
        }
        newerFiles.sort(Comparator.comparing(SegmentFileName::leadingOffset).reversed());
        // Kafka's loader moves a log that ends before its start
        newEndOffset = Math.max(fromOffset, checkpoints.logStart(partition));
        wasEmpty = checkpoints.isClean() && checkpoints.flushedEnd(partition) == fromOffset;
        givenUp = new TruncatedTail(partition, fromOffset, segments, knownEndOffset);
    }

    LogDir logDir() {
        return logDir;
    }

    TruncatedTail givenUp() {
        return givenUp;
    }

    Path partition() {
        return partition;
    }

    boolean covers(long baseOffset) {
        return baseOffset >= fromOffset;
    }

    /** The newest first: an interrupted removal leaves a shorter log, never one with a hole. */
    void remove() throws IOException {
        for (Path file : newerFiles) {
            files.deleteIfExists(file);
        }
        if (!wasEmpty) {
            IncompleteReplicas.mark(files, partition, newEndOffset);
        }
        files.syncDirectory(partition);
        Path first = firstSegment();
        Path empty = SegmentFileName.withSuffix(first, SegmentFileName.COPY_SUFFIX);
        try (FileChannel channel = files.open(empty, CREATE, TRUNCATE_EXISTING, WRITE)) {
            files.force(channel);
        }
        files.rename(empty, first);
        files.syncDirectory(partition);
    }

    /** Besides the first segment's name, the state of the producers before it: that is still true. */
    private boolean isKept(Path file) {
        return file.equals(firstSegment()) || SegmentFileName.nameOf(file).endsWith(SNAPSHOT_SUFFIX);
    }

    private Path firstSegment() {
        return partition.resolve(String.format("%020d.log", fromOffset));
    }
}
