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
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
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
    private boolean draining;
    private boolean done;

    Drain(
            FileOps files,
            Supplier<DynamicTierSettings> settings,
            Collection<LogDir> logDirs,
            List<SsdDir> ssdDirs,
            SegmentMap segments,
            Consumer<Segment> toCopy,
            TierListener listener) {
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
        done &= drain;
        draining = drain;
        if (drain && !done && ssdDirs.stream().allMatch(ssd -> ssd.usedBytes() == 0) && removeDirectories()) {
            done = true;
            listener.drained();
        }
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    /** False when a directory is not empty, because a segment in it waits to be deleted. */
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
        for (SsdDir ssd : ssdDirs) {
            // Without its identity file, an SSD directory that is not empty counts as another broker's.
            files.fsyncDirectory(ssd.path());
            files.deleteIfExists(ssd.path().resolve(IdentityFile.FILE_NAME));
        }
        for (LogDir logDir : logDirs) {
            files.deleteIfExists(logDir.path().resolve(IdentityFile.FILE_NAME));
        }
        return true;
    }
}
