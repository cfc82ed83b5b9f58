/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes all segments off the SSDs in {@link TierMode#DRAIN}. Not thread safe: one worker runs it.
 *
 * <p>It only hands segments, active ones included, to the copiers. The copiers copy them, and the evictors free the
 * space. When no segment is left, it removes our own identity files and directories from the SSD directories.
 */
final class Drain {
    private final FileOps files;
    private final Supplier<DynamicTierSettings> settings;
    private final Collection<LogDir> logDirs;
    private final List<SsdDir> ssdDirs;
    private final SegmentMap segments;
    private final Consumer<Segment> toCopy;
    private final TierListener listener;
    private final Object identities;
    private List<Path> reported = List.of();
    private boolean draining;
    private boolean done;

    /** @param identities the lock of the SSDs' identity files */
    Drain(
            FileOps files,
            Supplier<DynamicTierSettings> settings,
            Collection<LogDir> logDirs,
            List<SsdDir> ssdDirs,
            SegmentMap segments,
            Consumer<Segment> toCopy,
            TierListener listener,
            Object identities) {
        this.identities = identities;
        this.files = files;
        this.settings = settings;
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
        this.segments = segments;
        this.toCopy = toCopy;
        this.listener = listener;
    }

    /**
     * Hands over the segments that are on an SSD now, and finishes the drain when there are none.
     *
     * @return the time to wait before the next step
     */
    long step(long nowNanos) throws IOException {
        boolean drain = settings.get().mode() == TierMode.DRAIN;
        if (drain) {
            segments.forEach(segment -> {
                segment.life().draining(true, nowNanos);
                if (segment.state() == SegmentState.ONLY_CACHE) {
                    toCopy.accept(segment);
                }
            });
        } else if (draining) {
            segments.forEach(segment -> segment.life().draining(false, nowNanos));
        }
        if (!drain) {
            reported = List.of();
        }
        done &= drain;
        draining = drain;
        if (drain && !done) {
            finish();
        }
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    /** An operator who switches the tier on again just now waits, or is too late for this. */
    private void finish() throws IOException {
        synchronized (identities) {
            boolean isEmpty = ssdDirs.stream().allMatch(ssd -> ssd.usedBytes() == 0);
            if (isEmpty && settings.get().mode() == TierMode.DRAIN && removeDirectories()) {
                done = true;
                listener.drained();
            }
        }
    }

    /**
     * False when a directory is not empty: a segment in it waits to be deleted, or belongs to a log directory that is
     * not here. Without its identity file, an SSD directory that is not empty counts as another broker's.
     */
    private boolean removeDirectories() throws IOException {
        for (SsdDir ssd : ssdDirs) {
            for (LogDir logDir : logDirs) {
                Path ours = ssd.path().resolve(logDir.id());
                for (Path partition : FileReads.children(ours)) {
                    files.deleteDirectoryIfEmpty(partition);
                }
                try {
                    files.deleteIfExists(ours);
                } catch (DirectoryNotEmptyException e) {
                    return false;
                }
            }
        }
        List<Path> left = left();
        if (!left.isEmpty()) {
            if (!left.equals(reported)) {
                listener.drainLeaves(left);
            }
            reported = left;
            return false;
        }
        for (SsdDir ssd : ssdDirs) {
            files.fsyncDirectory(ssd.path());
            files.deleteIfExists(ssd.path().resolve(IdentityFile.FILE_NAME));
        }
        for (LogDir logDir : logDirs) {
            files.deleteIfExists(logDir.path().resolve(IdentityFile.FILE_NAME));
        }
        return true;
    }

    private List<Path> left() throws IOException {
        List<Path> left = new ArrayList<>();
        for (SsdDir ssd : ssdDirs) {
            for (Path child : FileReads.children(ssd.path())) {
                if (!IdentityFile.BESIDE_SEGMENTS.contains(SegmentFileName.nameOf(child)) && !removeIfEmpty(child)) {
                    left.add(child);
                }
            }
        }
        return left;
    }

    /** After a change of its directory.id, a log directory still has links to the old directory. */
    private boolean removeIfEmpty(Path dir) throws IOException {
        if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        for (Path partition : FileReads.children(dir)) {
            if (Files.isDirectory(partition, LinkOption.NOFOLLOW_LINKS)) {
                files.deleteDirectoryIfEmpty(partition);
            }
        }
        files.deleteDirectoryIfEmpty(dir);
        return !Files.exists(dir);
    }
}
