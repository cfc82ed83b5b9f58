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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Keeps one SSD directory between its watermarks, and makes room when a new segment found none. Not thread safe: one
 * worker runs it.
 *
 * <p>A segment's channel is moved to the HDD file first. Its SSD file is closed when the last operation has left it,
 * then unlinked, and only then its space is free.
 */
final class Evictor {
    private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final FileOps files;
    private final SsdDir ssd;
    private final Supplier<DynamicTierSettings> settings;
    private final SegmentMap segments;
    private final TierListener listener;
    private final TierCounts counts;
    private final Deque<Segment> victims = new ArrayDeque<>();

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

    /** Evicts at most one segment; answers how long to wait. */
    long step(long nowNanos) {
        removeDrained();
        if (settings.get().mode() == TierMode.PAUSED) {
            victims.clear();
        } else if (victims.isEmpty()) {
            choose();
        }
        Segment victim = victims.poll();
        if (victim != null) {
            return evict(victim) ? 0 : idleNanos();
        }
        return ssd.leaving().isEmpty() ? idleNanos() : DRAIN_NANOS;
    }

    private void choose() {
        DynamicTierSettings now = settings.get();
        boolean drain = now.mode() == TierMode.DRAIN;
        long limitBytes = drain ? 0 : ssd.limitBytes();
        long lowWatermarkBytes = (long) (limitBytes * now.lowWatermarkRatio());
        long highWatermarkBytes = (long) (limitBytes * now.highWatermarkRatio());
        long startAboveBytes = ssd.takeRefused() ? lowWatermarkBytes : highWatermarkBytes;
        long leavingBytes =
                ssd.leaving().stream().mapToLong(RetiredFile::bookedBytes).sum();
        long usedBytes = ssd.usedBytes() - leavingBytes;
        if (usedBytes <= startAboveBytes && !drain) {
            return;
        }
        List<EvictionPolicy.Candidate<Segment>> candidates = new ArrayList<>();
        segments.forEach(segment -> {
            SsdFile file = segment.ssdFile();
            if (file != null && file.dir() == ssd && segment.isEvictable()) {
                candidates.add(new EvictionPolicy.Candidate<>(segment, segment.lastModifiedMs(), segment.sizeBytes()));
            }
        });
        if (drain) {
            candidates.forEach(candidate -> victims.add(candidate.segment())); // also those without a byte
        } else {
            victims.addAll(EvictionPolicy.victims(candidates, usedBytes, startAboveBytes, lowWatermarkBytes));
        }
    }

    private long idleNanos() {
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    /** False when the HDD cannot be trusted now: then all of it is tried again later. */
    private boolean evict(Segment segment) {
        try {
            segment.makeNameDurable();
            if (segment.evict(segment.name().open())) {
                ssd.evictedUpTo(segment.lastModifiedMs());
            }
            return true;
        } catch (NoSuchFileException e) {
            return true; // renamed or deleted by Kafka meanwhile: not a victim any more
        } catch (IOException e) {
            victims.clear();
            listener.evictFailed(segment.path(), e);
            return false;
        }
    }

    private void removeDrained() {
        for (Iterator<RetiredFile> it = ssd.leaving().iterator(); it.hasNext(); ) {
            RetiredFile left = it.next();
            if (left.home().isDrained()) {
                it.remove();
                remove(left);
            }
        }
    }

    private void remove(RetiredFile left) {
        Path segment = left.segment();
        try {
            left.home().channel().close();
            files.deleteIfExists(left.ssdFile().path());
        } catch (IOException e) {
            listener.evictFailed(segment, e);
            return;
        }
        ssd.book(-left.bookedBytes(), 0);
        counts.evicted(left.bookedBytes());
        listener.evicted(segment, left.bookedBytes());
    }
}
