/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.EvictionPolicy;
import io.evenkeel.tiered.disk.RetiredFile;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.disk.Watermarks;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The evictor: keeps one SSD directory between its watermarks, and makes room when a new segment found none. Not thread
 * safe: one worker runs it.
 *
 * <p>It moves a segment's channel to the HDD file first. It closes and deletes the SSD file when the last operation on
 * it has ended, and only then the space is free.
 */
final class Evictor {
    private static final long RETIRED_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** How often to look for quiet active segments: it asks the file system for the time of each. */
    private static final long QUIET_CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long SET_ASIDE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final FileOps files;
    private final SsdDir ssd;
    private final Supplier<DynamicTierSettings> settings;
    private final SegmentMap segments;
    private final Consumer<Segment> toCopy;
    private final LongSupplier wallClockMs;
    private final TierListener listener;
    private final TierCounts counts;
    private final Deque<Segment> victims = new ArrayDeque<>();
    /** They could not be evicted; the others go first. */
    private final Set<Segment> setAside = new HashSet<>();

    private long setAsideNanos;
    private long quietCheckNanos;

    Evictor(
            FileOps files,
            SsdDir ssd,
            Supplier<DynamicTierSettings> settings,
            SegmentMap segments,
            Consumer<Segment> toCopy,
            LongSupplier wallClockMs,
            TierListener listener,
            TierCounts counts) {
        this.files = files;
        this.ssd = ssd;
        this.settings = settings;
        this.segments = segments;
        this.toCopy = toCopy;
        this.wallClockMs = wallClockMs;
        this.listener = listener;
        this.counts = counts;
    }

    /**
     * Evicts at most one segment.
     *
     * @return the time to wait before the next step
     */
    long step(long nowNanos) {
        ssd.checkSpace();
        removeDrained();
        if (nowNanos - setAsideNanos > SET_ASIDE_NANOS) {
            setAsideNanos = nowNanos;
            setAside.clear();
        }
        if (settings.get().mode() == TierMode.PAUSED) {
            victims.clear();
        } else if (victims.isEmpty()) {
            choose(nowNanos);
        }
        Segment victim = victims.poll();
        if (victim != null) {
            return evict(victim) ? 0 : idleNanos();
        }
        return ssd.retired().isEmpty() ? idleNanos() : RETIRED_CHECK_NANOS;
    }

    private void choose(long nowNanos) {
        if (settings.get().mode() == TierMode.DRAIN) {
            onThisSsd(Segment::isEvictable).forEach(victims::add); // empty ones as well
            return;
        }
        Watermarks watermarks = Watermarks.of(ssd, settings.get(), ssd.takeRefused());
        long excessBytes = watermarks.excessBytes(heldBytes());
        if (excessBytes == 0) {
            return;
        }
        List<EvictionPolicy.Candidate<Segment>> evictable = onThisSsd(Segment::isEvictable)
                .map(segment -> candidate(segment, segment.storage().lastModifiedMs()))
                .toList();
        victims.addAll(EvictionPolicy.victims(evictable, excessBytes, wallClockMs.getAsLong()));
        long leavingBytes = onThisSsd(segment -> segment.isEvictable() || segment.isWaiting())
                .mapToLong(segment -> segment.storage().sizeBytes())
                .sum();
        if (excessBytes > leavingBytes && nowNanos - quietCheckNanos > QUIET_CHECK_NANOS) {
            quietCheckNanos = nowNanos;
            copyQuiet(excessBytes - leavingBytes, nowNanos);
        }
    }

    private long heldBytes() {
        return ssd.heldBytes()
                - ssd.retired().stream().mapToLong(RetiredFile::reservedBytes).sum();
    }

    /** All sealed segments together are not enough: has the active ones copied that nobody appends to. */
    private void copyQuiet(long bytes, long nowNanos) {
        long nowMs = wallClockMs.getAsLong();
        List<EvictionPolicy.Candidate<Segment>> quiet = onThisSsd(Evictor::mayBeQuiet)
                .map(segment -> candidate(segment, lastAppendMs(segment)))
                .filter(segment -> EvictionPolicy.isQuiet(segment.lastModifiedMs(), nowMs))
                .toList();
        for (Segment segment : EvictionPolicy.victims(quiet, bytes, nowMs)) {
            segment.life().draining(true, nowNanos);
            toCopy.accept(segment);
        }
    }

    private static boolean mayBeQuiet(Segment segment) {
        return segment.life().isActive()
                && segment.state() == SegmentState.ONLY_CACHE
                && segment.storage().sizeBytes() > 0
                && !segment.isWaiting();
    }

    /** Now, when the file system does not say. */
    private long lastAppendMs(Segment segment) {
        SsdFile file = segment.storage().ssdFile();
        try {
            BasicFileAttributes attributes = file == null ? null : FileReads.attributes(file.path());
            return attributes == null
                    ? wallClockMs.getAsLong()
                    : attributes.lastModifiedTime().toMillis();
        } catch (IOException e) {
            return wallClockMs.getAsLong();
        }
    }

    private static EvictionPolicy.Candidate<Segment> candidate(Segment segment, long lastModifiedMs) {
        return new EvictionPolicy.Candidate<>(
                segment, lastModifiedMs, segment.storage().sizeBytes());
    }

    private Stream<Segment> onThisSsd(Predicate<Segment> wanted) {
        List<Segment> found = new ArrayList<>();
        segments.forEach(segment -> {
            SsdFile file = segment.storage().ssdFile();
            if (file != null && file.dir() == ssd && !setAside.contains(segment) && wanted.test(segment)) {
                found.add(segment);
            }
        });
        return found.stream();
    }

    private long idleNanos() {
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    /** False when it failed: the evictor goes on with the others, and tries this one again later. */
    private boolean evict(Segment segment) {
        try {
            segment.durability().makeDurable();
            segment.evict(segment.name().open());
            return true;
        } catch (NoSuchFileException e) {
            setAside(segment); // Kafka is renaming or deleting it, or somebody has removed the HDD file
            return true;
        } catch (IOException e) {
            if (!segment.isEvictable()) {
                return true; // its bytes have changed meanwhile, and its name is a link again
            }
            setAside(segment);
            listener.evictFailed(segment.path(), e);
            return false;
        }
    }

    private void setAside(Segment segment) {
        setAside.add(segment);
        segment.life().evictFailed();
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
