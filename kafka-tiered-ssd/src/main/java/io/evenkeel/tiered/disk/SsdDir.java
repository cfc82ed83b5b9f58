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
 * <p>Space is reserved before it is used: a new segment reserves its full size at once, and releases the unused part
 * when it is sealed. The rest is free only after the SSD file is closed and deleted.
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
    private final Queue<RetiredFile> retired = new ConcurrentLinkedQueue<>();
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

    /** Reserved by segments, including the space that active ones have not written to yet. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /**
     * The bytes that its segments may hold now: the capacity, or less when other programs use the file system's space,
     * so that the reservations could not be met.
     */
    public long limitBytes() {
        long usedNow = usedBytes.get();
        long spareBytes = files.usableBytes(path) - unwrittenBytes.get();
        return spareBytes >= capacityBytes - usedNow ? capacityBytes : Math.max(0, usedNow + spareBytes);
    }

    /** True when {@code bytes} could be reserved now: they fit into the capacity and on the file system. */
    public boolean hasRoom(long bytes) {
        return !suspect.get()
                && bytes <= capacityBytes - usedBytes.get()
                && bytes <= files.usableBytes(path) - unwrittenBytes.get();
    }

    /** Reserves {@code bytes}; false when they do not fit. */
    public boolean reserve(long bytes) {
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
     * True when a reservation has been refused since the last call: there is too little room, whatever the watermark.
     */
    public boolean takeRefused() {
        boolean was = refused;
        refused = false;
        return was;
    }

    /**
     * Adds space that is in use already, so that it cannot be refused; releases space when negative.
     *
     * @param bytes reserved
     * @param unwritten the part of them that is not written to yet
     */
    public void addReserved(long bytes, long unwritten) {
        usedBytes.addAndGet(bytes);
        unwrittenBytes.addAndGet(unwritten);
    }

    /** Adds bytes that the HDD has as well, so that they can be evicted at any time; they are part of the used ones. */
    public void addCached(long bytes) {
        cachedBytes.addAndGet(bytes);
    }

    public long cachedBytes() {
        return cachedBytes.get();
    }

    /**
     * The need of this SSD to have its segments copied, from 0 to 1. It is 0 as long as the eviction of the copied
     * segments frees enough to reach the low watermark. It is 1 when the eviction of all of them would not even reach
     * the high watermark, and new segments may find no room. It is also 1 when the device has failed: segments that
     * only this SSD has should be copied as fast as possible.
     */
    public double copyPressure(DynamicTierSettings settings) {
        if (suspect.get()) {
            return 1;
        }
        double heldRatio = (double) (usedBytes.get() - cachedBytes.get()) / Math.max(1, limitBytes());
        double span = settings.highWatermarkRatio() - settings.lowWatermarkRatio();
        return Math.max(0, Math.min(1, (heldRatio - settings.lowWatermarkRatio()) / span));
    }

    /** The bytes that were appended to segments here since the start. */
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

    /** As {@link #suspect()}, and reports it the first time. */
    public void suspect(Path file, IOException failure, TierListener listener) {
        if (suspect()) {
            listener.ssdSuspect(path, file, failure);
        }
    }

    public boolean isSuspect() {
        return suspect.get();
    }

    /** Files whose segments have moved to the HDD; the evictor removes them. */
    public Queue<RetiredFile> retired() {
        return retired;
    }

    /** Data up to this time has been evicted since the start; older data does not belong here. */
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
