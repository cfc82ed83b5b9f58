/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.RetiredFile;
import io.evenkeel.tiered.disk.ShadowFile;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a segment's bytes are, how many there are, and the space that is reserved for them on the SSD. Changed under
 * the segment's lock; any thread may read.
 */
final class SegmentStorage {
    private final SpaceReservation reservation;
    private final @Nullable ShadowFile shadow;
    private volatile SegmentState state;
    private volatile @Nullable SsdFile ssdFile;
    private volatile long sizeBytes;
    private volatile long lastModifiedMs;
    private volatile @Nullable HddReason hddReason;

    /** @param shadow null when there is no shadow */
    SegmentStorage(OpenedFile opened, @Nullable ShadowFile shadow) {
        this.shadow = shadow;
        this.reservation = opened.reservation();
        this.state = opened.state();
        this.ssdFile = opened.ssdFile();
        this.sizeBytes = opened.sizeBytes();
        this.lastModifiedMs = opened.lastModifiedMs();
        this.hddReason = opened.hddReason();
        this.reservation.cached(state == SegmentState.CACHED);
    }

    SegmentState state() {
        return state;
    }

    /** Null when the segment has no file on an SSD (any more). */
    @Nullable
    SsdFile ssdFile() {
        return ssdFile;
    }

    /** Null as {@link #ssdFile()} is. No rename of Kafka's changes it. */
    @Nullable
    Path ssdPath() {
        SsdFile onSsd = ssdFile;
        return onSsd == null ? null : onSsd.path();
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /**
     * When the last record was appended, as the file system has it; {@link Long#MAX_VALUE} until a copy has been made
     * or found.
     */
    long lastModifiedMs() {
        return lastModifiedMs;
    }

    /** Why the segment began on the HDD, or moved there before it was full; null when that is not known. */
    @Nullable
    HddReason hddReason() {
        return hddReason;
    }

    // ---- the bytes change ----

    void wrote(long bytes) {
        long grownBytes = sizeBytes + bytes;
        sizeBytes = grownBytes;
        reservation.holds(grownBytes);
        if (shadow != null) {
            shadow.wrote(grownBytes - bytes, bytes);
        }
        SsdFile onSsd = ssdFile;
        if (onSsd != null) {
            onSsd.dir().wrote(bytes);
        }
    }

    /** True when space is reserved for an append, or when the segment is on no SSD. Takes no lock. */
    boolean hasRoomFor(long bytes) {
        return ssdFile == null || reservation.has(sizeBytes + bytes);
    }

    /** Reserves space for an append and the next step; false when that does not fit. */
    boolean reserve(long bytes, long segmentBytes) {
        return reservation.grow(sizeBytes + bytes, segmentBytes);
    }

    void truncated(long newSizeBytes) {
        sizeBytes = Math.min(sizeBytes, newSizeBytes);
        reservation.holds(sizeBytes);
        if (shadow != null) {
            shadow.truncated(sizeBytes);
        }
    }

    /** Kafka has closed the segment. */
    void closed() {
        if (shadow != null) {
            shadow.leave();
        }
    }

    /** Nothing more is appended: the space that is reserved beyond the present size becomes free. */
    void trim() {
        reservation.trim(sizeBytes);
        if (shadow != null) {
            shadow.seal();
        }
    }

    // ---- the state changes ----

    /** The bytes are about to change on the SSD, and the HDD file will differ. */
    void becomeOnlyCache() {
        become(SegmentState.ONLY_CACHE);
    }

    /** The HDD has a complete copy. */
    void becomeCached(long dataTimeMs) {
        lastModifiedMs = dataTimeMs;
        trim(); // an active segment, in a drain, keeps no space to grow
        become(SegmentState.CACHED);
    }

    private void become(SegmentState next) {
        state = next;
        reservation.cached(next == SegmentState.CACHED);
    }

    /** The channel has moved to the HDD file: the evictor removes the SSD file when its last reader has gone. */
    void becomeWithoutCache(Path segment, SsdFile onSsd, BackingFile retired) {
        state = SegmentState.WITHOUT_CACHE;
        onSsd.dir().retired().add(new RetiredFile(segment, retired, onSsd, leaveSsd()));
    }

    /** The SSD was full in the middle of an append. */
    void spilled() {
        hddReason = HddReason.NO_ROOM;
    }

    /**
     * The segment has nothing to do with its SSD file any more.
     *
     * @return the bytes that stay reserved until the file is deleted
     */
    long leaveSsd() {
        ssdFile = null;
        return reservation.release();
    }

    /** Another segment takes the SSD file over, and reserves space for it again; null when there is none. */
    @Nullable
    SsdFile handOver() {
        SsdFile onSsd = ssdFile;
        reservation.trim(0);
        ssdFile = null;
        return onSsd;
    }
}
