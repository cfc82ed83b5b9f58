/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Does to the disks what a {@link RecoveryPlan} says. Not thread safe; made for one start.
 *
 * <p>A leftover that cannot be removed takes space, but is never used; the next start tries again.
 */
final class PlanExecution {
    private final FileOps files;
    private final TierListener listener;

    PlanExecution(FileOps files, TierListener listener) {
        this.files = files;
        this.listener = listener;
    }

    /** @throws IOException when a tail cannot be truncated; the next start refuses, or goes on with it */
    void run(RecoveryPlan plan) throws IOException {
        truncateTails(plan.truncations());
        removeLeftovers(plan.leftovers());
    }

    /** The clean-shutdown files go first, and durably: Kafka must not take the shorter logs for complete. */
    private void truncateTails(List<TailTruncation> tails) throws IOException {
        if (tails.isEmpty()) {
            return;
        }
        listener.truncating(tails.stream().map(TailTruncation::tail).toList());
        for (Path logDir : tails.stream().map(TailTruncation::logDir).distinct().toList()) {
            files.deleteIfExists(logDir.resolve(KafkaCheckpoints.CLEAN_SHUTDOWN_FILE));
            files.fsyncDirectory(logDir);
        }
        for (TailTruncation tail : tails) {
            truncate(tail);
        }
    }

    /**
     * Cut off at any instant, it leaves the link of the first missing segment in place, so that the next start refuses,
     * or goes on with it: that link goes last, when the removal of the others is durable.
     */
    private void truncate(TailTruncation tail) throws IOException {
        for (Path file : tail.newerFiles()) {
            files.deleteIfExists(file);
        }
        if (tail.losesRecords()) {
            IncompleteReplicas.writeMarker(files, tail.partition(), tail.newEndOffset());
        }
        files.fsyncDirectory(tail.partition());
        Path empty = SegmentFileName.withSuffix(tail.firstSegment(), SegmentFileName.COPY_SUFFIX);
        try (FileChannel channel = files.open(empty, CREATE, TRUNCATE_EXISTING, WRITE)) {
            files.force(channel);
        }
        files.rename(empty, tail.firstSegment());
        files.fsyncDirectory(tail.partition());
    }

    private void removeLeftovers(Leftovers leftovers) {
        leftovers.hddFiles().forEach(this::remove);
        if (makeNamesDurable(leftovers.ssdFiles())) {
            leftovers.ssdFiles().values().forEach(this::removeSsdFiles);
        }
        for (Path dir : leftovers.emptyDirs()) {
            try {
                files.deleteDirectoryIfEmpty(dir);
            } catch (IOException e) {
                listener.leftAsItIs(dir, e);
            }
        }
    }

    /**
     * A link to such a file, or the directory it was in, may have been replaced, removed or renamed by a process that
     * was killed before it could sync the directory. A power cut would bring the link back.
     *
     * @return false when a directory cannot be synced: an fsync that succeeds later would prove nothing
     */
    private boolean makeNamesDurable(Map<Path, List<Path>> ssdFiles) {
        Set<Path> logDirs = new LinkedHashSet<>();
        ssdFiles.keySet().forEach(partition -> logDirs.add(SegmentFileName.dirOf(partition)));
        for (Path logDir : logDirs) {
            Path dir = logDir;
            try {
                for (Path partition : FileReads.children(logDir)) {
                    Path before = partition.resolveSibling(SegmentFileName.partitionBeforeRename(partition));
                    if (ssdFiles.containsKey(before) || SegmentFileName.isPerhapsShortened(partition)) {
                        dir = partition;
                        files.fsyncDirectory(dir);
                    }
                }
                dir = logDir;
                files.fsyncDirectory(dir);
            } catch (IOException e) {
                listener.storageError(logDir, dir, e);
                return false;
            }
        }
        return true;
    }

    private void removeSsdFiles(List<Path> ssdFiles) {
        int removed = 0;
        long bytes = 0;
        for (Path file : ssdFiles) {
            long sizeBytes = file.toFile().length();
            if (remove(file)) {
                removed++;
                bytes += sizeBytes;
            }
        }
        if (bytes > 0) {
            listener.leftoversRemoved(SegmentFileName.dirOf(ssdFiles.get(0)), removed, bytes);
        }
    }

    private boolean remove(Path file) {
        try {
            return files.deleteIfExists(file);
        } catch (IOException e) {
            listener.leftAsItIs(file, e);
            return false;
        }
    }
}
