/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.EvictionPolicy;
import io.evenkeel.tiered.disk.RetiredFile;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The evictor: keeps one SSD directory between its watermarks, and makes room when a new segment found none. Not thread
 * safe: one worker runs it.
 *
 * <p>It moves a segment's channel to the HDD file first. It closes and deletes the SSD file when the last operation on
 * it has ended, and only then the space is free.
 */
final class Evictor {
    private static final long RETIRED_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SET_ASIDE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final FileOps files;
    private final SsdDir ssd;
    private final Supplier<DynamicTierSettings> settings;
    private final SegmentMap segments;
    private final TierListener listener;
    private final TierCounts counts;
    private final Deque<Segment> victims = new ArrayDeque<>();
    /** They could not be evicted; the others go first. */
    private final Set<Segment> setAside = new HashSet<>();

    private long setAsideNanos;

    Evictor(
            FileOps files,
            SsdDir ssd,
            Supplier<DynamicTierSettings> settings,
            SegmentMap segments,
            TierListener listener,
            TierCounts counts) {
        this.files = files;
        this.ssd = ssd;
        this.settings = settings;
        this.segments = segments;
        this.listener = listener;
        this.counts = counts;
    }

    /**
     * Evicts at most one segment.
     *
     * @return the time to wait before the next step
     */
    long step(long nowNanos) {
        removeDrained();
        if (nowNanos - setAsideNanos > SET_ASIDE_NANOS) {
            setAsideNanos = nowNanos;
            setAside.clear();
        }
        if (settings.get().mode() == TierMode.PAUSED) {
            victims.clear();
        } else if (victims.isEmpty()) {
            choose();
        }
        Segment victim = victims.poll();
        if (victim != null) {
            return evict(victim) ? 0 : idleNanos();
        }
        return ssd.retired().isEmpty() ? idleNanos() : RETIRED_CHECK_NANOS;
    }

    private void choose() {
        DynamicTierSettings now = settings.get();
        boolean drain = now.mode() == TierMode.DRAIN;
        long limitBytes = drain ? 0 : ssd.limitBytes();
        long lowWatermarkBytes = (long) (limitBytes * now.lowWatermarkRatio());
        long highWatermarkBytes = (long) (limitBytes * now.highWatermarkRatio());
        long startAboveBytes = ssd.takeRefused() ? lowWatermarkBytes : highWatermarkBytes;
        long retiredBytes =
                ssd.retired().stream().mapToLong(RetiredFile::reservedBytes).sum();
        long usedBytes = ssd.usedBytes() - retiredBytes;
        if (usedBytes <= startAboveBytes && !drain) {
            return;
        }
        List<EvictionPolicy.Candidate<Segment>> candidates = new ArrayList<>();
        segments.forEach(segment -> {
            SsdFile file = segment.storage().ssdFile();
            if (file != null && file.dir() == ssd && segment.isEvictable() && !setAside.contains(segment)) {
                candidates.add(new EvictionPolicy.Candidate<>(
                        segment,
                        segment.storage().lastModifiedMs(),
                        segment.storage().sizeBytes()));
            }
        });
        if (drain) {
            candidates.forEach(candidate -> victims.add(candidate.segment())); // empty ones as well
        } else {
            victims.addAll(EvictionPolicy.victims(candidates, usedBytes, startAboveBytes, lowWatermarkBytes));
        }
    }

    private long idleNanos() {
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    /** False when it failed: the evictor goes on with the others, and tries this one again later. */
    private boolean evict(Segment segment) {
        try {
            segment.durability().makeDurable();
            if (segment.evict(segment.name().open())) {
                ssd.evictedUpTo(segment.storage().lastModifiedMs());
            }
            return true;
        } catch (NoSuchFileException e) {
            setAside.add(segment); // Kafka is renaming or deleting it
            return true;
        } catch (IOException e) {
            setAside.add(segment);
            listener.evictFailed(segment.path(), e);
            return false;
        }
    }

    private void removeDrained() {
        for (Iterator<RetiredFile> it = ssd.retired().iterator(); it.hasNext(); ) {
            RetiredFile retired = it.next();
            if (retired.backingFile().isDrained()) {
                it.remove();
                remove(retired);
            }
        }
    }

    private void remove(RetiredFile retired) {
        Path segment = retired.segment();
        FileChannel channel = retired.backingFile().channel();
        try (channel) {
            files.deleteIfExists(retired.ssdFile().path());
        } catch (IOException e) {
            listener.evictFailed(segment, e);
            return;
        }
        ssd.addReserved(-retired.reservedBytes(), 0);
        counts.evicted(retired.reservedBytes());
        listener.evicted(segment, retired.reservedBytes());
    }
}
