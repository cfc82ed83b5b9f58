/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One SSD directory and the account of its space. Thread safe.
 *
 * <p>Space is reserved before it is used: an active segment reserves a step ahead of what it holds, and releases the
 * unused part when it is sealed. The rest is free only after the SSD file is closed and deleted. What is reserved
 * decides whether more fits; what the files hold decides how much to copy and to evict.
 */
public final class SsdDir {
    private final FileOps files;
    private final Path path;
    private final long capacityBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong unwrittenBytes = new AtomicLong();
    private final AtomicLong cachedBytes = new AtomicLong();
    private final AtomicBoolean suspect = new AtomicBoolean();
    private final Queue<RetiredFile> retired = new ConcurrentLinkedQueue<>();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder spilledSegments = new LongAdder();
    private volatile boolean refused;
    private volatile boolean crowded;

    public SsdDir(FileOps files, Path path, long capacityBytes) {
        this.files = files;
        this.path = path;
        this.capacityBytes = capacityBytes;
    }

    /** All of a tier, in the order of its settings. */
    public static List<SsdDir> of(FileOps files, TierSettings settings) {
        return settings.ssdDirs().stream()
                .map(path -> new SsdDir(files, path, settings.capacityBytes()))
                .toList();
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

    /** Reserved but not written yet. */
    public long unwrittenBytes() {
        return unwrittenBytes.get();
    }

    /** What its files hold. */
    public long heldBytes() {
        return usedBytes.get() - unwrittenBytes.get();
    }

    /** The bytes that its files may hold now: the capacity, or less when other programs use the file system's space. */
    public long limitBytes() {
        long held = heldBytes();
        long usable = files.usableBytes(path);
        return usable >= capacityBytes - held ? capacityBytes : held + usable;
    }

    /** True when its files hold so little that nothing is evicted. */
    public boolean isBelow(double highWatermarkRatio) {
        return heldBytes() <= limitBytes() * highWatermarkRatio;
    }

    /** Looks whether the file system still has the space that is reserved. */
    public void checkSpace() {
        crowded = files.usableBytes(path) < unwrittenBytes.get();
    }

    /** True when another program has taken space that is reserved here: an append may meet a full file system. */
    public boolean isCrowded() {
        return crowded;
    }

    /** True when {@code bytes} could be reserved now: they fit into the capacity and on the file system. */
    public boolean hasRoom(long bytes) {
        return !suspect.get()
                && !crowded
                && bytes <= capacityBytes - usedBytes.get()
                && bytes <= files.usableBytes(path) - unwrittenBytes.get();
    }

    /**
     * Reserves space; false when it does not fit.
     *
     * @param roomBytes must fit as well, though only {@code bytes} of it are reserved
     */
    public boolean reserve(long bytes, long roomBytes) {
        while (true) {
            long used = usedBytes.get();
            if (!hasRoom(Math.max(bytes, roomBytes))) {
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
        double heldRatio = (double) (heldBytes() - cachedBytes.get()) / Math.max(1, limitBytes());
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
        crowded = true;
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

    @Override
    public String toString() {
        return path.toString();
    }
}
