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
 * Takes everything off the SSDs in {@link TierMode#DRAIN}. Not thread safe: one worker runs it.
 *
 * <p>It only hands segments to the copiers, the active ones too; they copy, and the evictors free. When nothing is
 * left, the SSD directories are emptied of our own marks and directories.
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

    /** Looks once; answers how long to wait. */
    long step(long nowNanos) throws IOException {
        boolean drain = settings.get().mode() == TierMode.DRAIN;
        if (drain) {
            segments.forEach(segment -> {
                segment.draining(true, nowNanos);
                if (segment.state() == SegmentState.ONLY_CACHE) {
                    toCopy.accept(segment);
                }
            });
        } else if (draining) {
            segments.forEach(segment -> segment.draining(false, nowNanos));
        }
        done &= drain;
        draining = drain;
        if (drain && !done && ssdDirs.stream().allMatch(ssd -> ssd.usedBytes() == 0) && removeDirectories()) {
            done = true;
            listener.drained();
        }
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    /** False when there is something in them after all, such as a segment that waits for its deletion. */
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
            // Without its mark, an SSD with something in it counts as somebody else's.
            files.syncDirectory(ssd.path());
            files.deleteIfExists(ssd.path().resolve(IdentityFile.FILE_NAME));
        }
        for (LogDir logDir : logDirs) {
            files.deleteIfExists(logDir.path().resolve(IdentityFile.FILE_NAME));
        }
        return true;
    }
}
