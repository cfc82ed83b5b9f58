/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one SSD directory between its watermarks, and makes room when a new segment found none. Not thread safe: one worker runs it.
 *
 * <p>A segment's channel is moved to the HDD file first. Its SSD file is closed when the last operation has left it, then
 * unlinked, and only then its space is free.
 */
final class Evictor {
    private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** What all evictors have done since the start. */
    record Counts(LongAdder segments, LongAdder bytes) {
        Counts() {
            this(new LongAdder(), new LongAdder());
        }
    }

    private final FileLayer files;
    private final SsdDir ssd;
    private final Supplier<DynamicSettings> settings;
    private final SegmentMap segments;
    private final TierListener listener;
    private final Counts counts;
    private final Deque<Segment> victims = new ArrayDeque<>();
    private final List<Segment.Leaving> leaving = new ArrayList<>();

    Evictor(
            FileLayer files,
            SsdDir ssd,
            Supplier<DynamicSettings> settings,
            SegmentMap segments,
            TierListener listener,
            Counts counts) {
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
        if (victims.isEmpty()) {
            choose();
        }
        Segment victim = victims.poll();
        if (victim != null) {
            return evict(victim) ? 0 : idleNanos();
        }
        return leaving.isEmpty() ? idleNanos() : DRAIN_NANOS;
    }

    private void choose() {
        long leavingBytes =
                leaving.stream().mapToLong(Segment.Leaving::bookedBytes).sum();
        long usedBytes = ssd.usedBytes() - leavingBytes;
        DynamicSettings now = settings.get();
        long lowWatermarkBytes = (long) (ssd.capacityBytes() * now.lowWatermarkRatio());
        long highWatermarkBytes = (long) (ssd.capacityBytes() * now.highWatermarkRatio());
        long startAboveBytes = ssd.takeRefused() ? lowWatermarkBytes : highWatermarkBytes;
        if (usedBytes <= startAboveBytes) {
            return;
        }
        List<EvictionPolicy.Candidate<Segment>> candidates = new ArrayList<>();
        segments.forEach(segment -> {
            SsdFile file = segment.ssdFile();
            if (file != null && file.dir() == ssd && segment.isEvictable()) {
                candidates.add(new EvictionPolicy.Candidate<>(segment, segment.lastModifiedMs(), segment.sizeBytes()));
            }
        });
        victims.addAll(EvictionPolicy.victims(candidates, usedBytes, startAboveBytes, lowWatermarkBytes));
    }

    private long idleNanos() {
        return TimeUnit.MILLISECONDS.toNanos(settings.get().syncIntervalMs());
    }

    /** False when the HDD cannot be trusted now: then all of it is tried again later. */
    private boolean evict(Segment segment) {
        try {
            Segment.Leaving left = moveToHdd(segment);
            if (left != null) {
                leaving.add(left);
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

    private Segment.@Nullable Leaving moveToHdd(Segment segment) throws IOException {
        Home hdd = new Home(Device.HDD, segment.path(), files.open(segment.path(), READ, WRITE, NOFOLLOW_LINKS));
        Segment.Leaving left = null;
        try {
            long sizeBytes = hdd.channel().size();
            if (sizeBytes != segment.sizeBytes()) {
                segment.setAside();
                throw new IOException("The HDD file has " + sizeBytes + " bytes, its SSD copy has "
                        + segment.sizeBytes() + ": " + segment.path() + " (hdd)");
            }
            segment.name().makeDurable();
            left = segment.evict(hdd);
            return left;
        } finally {
            if (left == null) {
                hdd.channel().close();
            }
        }
    }

    private void removeDrained() {
        for (Iterator<Segment.Leaving> it = leaving.iterator(); it.hasNext(); ) {
            Segment.Leaving left = it.next();
            if (!left.home().isDrained()) {
                continue;
            }
            it.remove();
            try {
                left.home().channel().close();
                files.deleteIfExists(left.ssdFile().path());
                ssd.book(-left.bookedBytes());
                counts.segments.increment();
                counts.bytes.add(left.bookedBytes());
                listener.evicted(left.segment(), left.bookedBytes());
            } catch (IOException e) {
                listener.evictFailed(left.segment(), e);
            }
        }
    }
}
