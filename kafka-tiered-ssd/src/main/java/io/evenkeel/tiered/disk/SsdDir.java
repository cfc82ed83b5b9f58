/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One SSD directory and the account of its space. Thread safe.
 *
 * <p>Space is promised before it is used: a new segment takes its full size at once, and gives back what it did not
 * need when it is sealed. What a segment holds is free again only after its SSD file is closed and unlinked.
 */
public final class SsdDir {
    private final FileOps files;
    private final Path path;
    private final long capacityBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong unwrittenBytes = new AtomicLong();
    private final AtomicLong cachedBytes = new AtomicLong();
    private final AtomicBoolean suspect = new AtomicBoolean();
    private final AtomicLong horizonMs = new AtomicLong(Long.MIN_VALUE);
    private final Queue<RetiredFile> leaving = new ConcurrentLinkedQueue<>();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder spilledSegments = new LongAdder();
    private volatile boolean refused;

    public SsdDir(FileOps files, Path path, long capacityBytes) {
        this.files = files;
        this.path = path;
        this.capacityBytes = capacityBytes;
    }

    public Path path() {
        return path;
    }

    public long capacityBytes() {
        return capacityBytes;
    }

    /** Held by segments, including what is promised to active ones and not written yet. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /**
     * What its segments may hold now: the capacity, or less when something else takes the file system's space, so that
     * what is promised could not be kept.
     */
    public long limitBytes() {
        long usedNow = usedBytes.get();
        long spareBytes = files.usableBytes(path) - unwrittenBytes.get();
        return spareBytes >= capacityBytes - usedNow ? capacityBytes : Math.max(0, usedNow + spareBytes);
    }

    /** True when {@code bytes} would be promised now: they fit into the capacity and on the file system. */
    public boolean hasRoom(long bytes) {
        return !suspect.get()
                && bytes <= capacityBytes - usedBytes.get()
                && bytes <= files.usableBytes(path) - unwrittenBytes.get();
    }

    /** Takes {@code bytes} if they fit; answers whether they did. */
    public boolean promise(long bytes) {
        while (true) {
            long used = usedBytes.get();
            if (!hasRoom(bytes)) {
                refused = true;
                return false;
            }
            if (usedBytes.compareAndSet(used, used + bytes)) {
                unwrittenBytes.addAndGet(bytes);
                return true;
            }
        }
    }

    /**
     * True when a promise has been refused since this was asked last: there is too little room, whatever the watermark.
     */
    public boolean takeRefused() {
        boolean was = refused;
        refused = false;
        return was;
    }

    /**
     * Books what is there already or cannot be refused any more; gives back when negative.
     *
     * @param unwritten how much of it is only promised
     */
    public void book(long bytes, long unwritten) {
        usedBytes.addAndGet(bytes);
        unwrittenBytes.addAndGet(unwritten);
    }

    /** Books what is here and on the HDD, and can be evicted at any time; it is part of what is used. */
    public void bookCached(long bytes) {
        cachedBytes.addAndGet(bytes);
    }

    public long cachedBytes() {
        return cachedBytes.get();
    }

    /**
     * How much this SSD needs its segments to be copied, from 0 to 1. Nothing as long as evicting what is copied
     * already gets it down to the low watermark; all when evicting everything would not get it down to the high one,
     * and new segments may find no room. All, too, when the device has failed: what is only here should get to safety.
     */
    public double copyPressure(DynamicTierSettings settings) {
        if (suspect.get()) {
            return 1;
        }
        double heldRatio = (double) (usedBytes.get() - cachedBytes.get()) / Math.max(1, limitBytes());
        double span = settings.highWatermarkRatio() - settings.lowWatermarkRatio();
        return Math.max(0, Math.min(1, (heldRatio - settings.lowWatermarkRatio()) / span));
    }

    /** Appended to segments here since the start. */
    public long writtenBytes() {
        return writtenBytes.sum();
    }

    public void wrote(long bytes) {
        writtenBytes.add(bytes);
    }

    /** Segments that left it since the start because it was full in the middle of an append. */
    public long spilledSegments() {
        return spilledSegments.sum();
    }

    public void spilled() {
        spilledSegments.increment();
    }

    /** The device has failed: it gets no new segments until the next start. False when that was known. */
    public boolean suspect() {
        return suspect.compareAndSet(false, true);
    }

    /** As {@link #suspect()}, and tells of it the first time. */
    public void suspect(Path file, IOException failure, TierListener listener) {
        if (suspect()) {
            listener.ssdSuspect(path, file, failure);
        }
    }

    public boolean isSuspect() {
        return suspect.get();
    }

    /** Files that have been left by their segments and are to be removed. */
    public Queue<RetiredFile> leaving() {
        return leaving;
    }

    /** Data up to this time has been evicted since the start; older data has no business here. */
    public long horizonMs() {
        return horizonMs.get();
    }

    public void evictedUpTo(long dataTimeMs) {
        horizonMs.accumulateAndGet(dataTimeMs, Math::max);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
