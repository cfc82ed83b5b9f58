/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.OpenRequest;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The part of one segment that would be on an SSD. Thread safe; reads take no lock.
 *
 * <p>It begins where the tier would have begun a segment on the SSD: in the shadow Kafka does not roll early, so the
 * bytes before are part of the same segment. It ends where the SSD has no more room, and leaves as a whole.
 */
public final class ShadowFile {
    private final ShadowSsds ssds;
    private final LogDir logDir;
    private final Path partition;
    private final OpenRequest request;

    private SpaceReservation reservation = SpaceReservation.none();
    private @Nullable SsdDir ssd;
    /** Null while nothing would be on an SSD. */
    private volatile @Nullable Range onSsd;
    /** It has been there, or has found no more room: what follows is on the HDD until the next segment. */
    private boolean isOver;

    private boolean isSealed;
    private long lastAppendMs;

    /** Positions in the segment. */
    private record Range(long from, long to) {
        long bytes() {
            return to - from;
        }

        long overlap(long begin, long end) {
            return Math.max(0, Math.min(to, end) - Math.max(from, begin));
        }
    }

    /** @param logDir the one of the segment, with imagined SSDs */
    ShadowFile(ShadowSsds ssds, LogDir logDir, Path partition, OpenRequest request) {
        this.ssds = ssds;
        this.logDir = logDir;
        this.partition = partition;
        this.request = request;
    }

    Path partition() {
        return partition;
    }

    OpenRequest request() {
        return request;
    }

    LogDir logDir() {
        return logDir;
    }

    /** Begins on an SSD at that position; false when none has room. */
    synchronized boolean begin(long position) {
        long segmentBytes = request.segmentBytes() - position;
        long bytes = SpaceReservation.firstStepBytes(segmentBytes);
        SsdDir found = logDir.reserve(bytes, SpaceReservation.roomBytes(segmentBytes));
        if (found == null) {
            return false;
        }
        ssd = found;
        reservation = new SpaceReservation(found, bytes, 0);
        onSsd = new Range(position, position);
        return true;
    }

    /** Kafka has appended to the segment. */
    public synchronized void wrote(long position, long bytes) {
        if (onSsd == null && !isOver) {
            ssds.mayBegin(this, position);
        }
        Range range = onSsd;
        if (range == null || isOver) {
            return;
        }
        long sizeBytes = position + bytes - range.from();
        if (range.to() == position && reservation.grow(sizeBytes, request.segmentBytes() - range.from())) {
            reservation.holds(sizeBytes);
            onSsd = new Range(range.from(), position + bytes);
            isSealed = false;
            lastAppendMs = ssds.nowMs();
        } else {
            isOver = true;
            seal();
        }
    }

    /** Kafka has truncated the segment. */
    public synchronized void truncated(long position) {
        Range range = onSsd;
        if (range != null && position < range.to()) {
            onSsd = new Range(range.from(), Math.max(range.from(), position));
            reservation.holds(Math.max(0, position - range.from()));
        }
    }

    /** The partition has a newer segment. */
    public synchronized void seal() {
        Range range = onSsd;
        if (range != null) {
            isSealed = true;
            reservation.trim(range.bytes());
        }
    }

    /**
     * Leaves the SSD, because Kafka has closed the segment, or by eviction.
     *
     * @return the bytes that were there
     */
    public synchronized long leave() {
        Range range = onSsd;
        SsdDir left = ssd;
        if (range == null || left == null) {
            return 0;
        }
        isOver = true;
        onSsd = null;
        left.addReserved(-reservation.release(), 0);
        ssds.forget(this);
        return range.bytes();
    }

    /** Kafka has read from the segment, and that took as long. */
    public void read(long position, long bytes, long nanos) {
        if (bytes > 0) {
            Range range = onSsd;
            ssds.read(range == null ? 0 : range.overlap(position, position + bytes), bytes, nanos);
        }
    }

    synchronized boolean isOn(SsdDir other) {
        return ssd == other && onSsd != null;
    }

    synchronized boolean isSealed() {
        return isSealed;
    }

    synchronized long lastAppendMs() {
        return lastAppendMs;
    }

    long sizeBytes() {
        Range range = onSsd;
        return range == null ? 0 : range.bytes();
    }
}
