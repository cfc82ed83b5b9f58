/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The unflushed bytes of one log, and the room that is left for appends. Thread safe; never waits. */
public final class UnflushedLog {
    /*
     * Ground rules. The threads that append, flush and truncate call this object, some under the lock of the partition
     * and some not; the device's worker reads it from its own thread. All meet under this object's monitor, which is
     * held for a few instructions and under which no other code is called.
     *
     * I1: reserved bytes and unflushed bytes together never exceed the bound, with one exception: one batch that is
     *     larger than the bound may go into a flushed log by itself.
     * I2: the reservations of all unflushed and reserved bytes were made within the bound in time: at each new
     *     reservation no unflushed or reserved byte is older than the bound. So a power cut takes only appends that
     *     were let in within the bound, although they may stay unflushed for longer when a device has stopped, and may
     *     be written later: the disk can hold up an append that was let in. The age of written bytes therefore counts
     *     from the oldest open reservation: their own, or an older one.
     * I8: all acknowledged and unflushed bytes were acknowledged within the bound in time as well. For an append that
     *     was held up, or one after it, is acknowledged only when no byte that is unflushed by then is older than the
     *     bound.
     * I3: only flushed() makes bytes flushed, for an offset before which everything is on the disk.
     */

    private final long maxBytes;
    private final long maxNanos;
    private final UnflushedRanges ranges;
    /** The oldest first. A released reservation leaves the queue when it is the oldest. */
    private final Deque<Reservation> reservations = new ArrayDeque<>();

    private long reservedBytes;
    private boolean wanted;
    private long lastFlushNanos;
    private long lastFlushBytes;

    /** The room for one append, until it is released. */
    public final class Reservation {
        private final long bytes;
        private final long atNanos;
        private boolean released;

        private Reservation(long bytes, long atNanos) {
            this.bytes = bytes;
            this.atNanos = atNanos;
        }

        /**
         * Gives the room back when the append is over, however it ended. To be called once.
         *
         * @return whether a waiting append should try again
         */
        public boolean release() {
            synchronized (UnflushedLog.this) {
                released = true;
                reservedBytes -= bytes;
                while (!reservations.isEmpty() && reservations.getFirst().released) {
                    reservations.removeFirst();
                }
                return wanted;
            }
        }
    }

    /**
     * The unflushed bytes of the log at an instant.
     *
     * @param sinceNanos when the oldest byte was let in, or earlier
     * @param untilNanos when the newest byte was let in, or later
     * @param wanted whether an append waits for the flush
     * @param lastFlushNanos when the last flush of this log began
     * @param lastFlushBytes the size of the last flush; 0 before the first
     */
    public record Pending(
            long bytes, long sinceNanos, long untilNanos, boolean wanted, long lastFlushNanos, long lastFlushBytes) {}

    public UnflushedLog(FlushSettings settings) {
        this.maxBytes = settings.maxUnflushedBytes();
        this.maxNanos = TimeUnit.MILLISECONDS.toNanos(settings.maxUnflushedMs());
        this.ranges = new UnflushedRanges(maxBytes, maxNanos);
    }

    /** Reserves room for an append. Null when there is no room: then the log becomes due at once. */
    public synchronized @Nullable Reservation reserve(long bytes, long nowNanos) {
        boolean isFlushed = ranges.isEmpty() && reservations.isEmpty();
        boolean hasRoom = ranges.bytes() + reservedBytes + bytes <= maxBytes;
        if (isFlushed || (hasRoom && oldestAgeNanos(nowNanos) <= maxNanos)) {
            // the caller may have read the clock before another thread that was faster here
            long atNanos = reservations.isEmpty() ? nowNanos : later(reservations.getLast().atNanos, nowNanos);
            Reservation reservation = new Reservation(bytes, atNanos);
            reservations.addLast(reservation);
            reservedBytes += bytes;
            return reservation;
        }
        wanted = true;
        return null;
    }

    /** The age of the oldest unflushed or reserved byte. Requires: there is one. */
    private long oldestAgeNanos(long nowNanos) {
        long ofUnflushed = ranges.isEmpty() ? Long.MIN_VALUE : nowNanos - ranges.sinceNanos();
        long ofReserved = reservations.isEmpty() ? Long.MIN_VALUE : nowNanos - reservations.getFirst().atNanos;
        return Math.max(ofUnflushed, ofReserved);
    }

    private static long later(long oneNanos, long otherNanos) {
        return otherNanos - oneNanos > 0 ? otherNanos : oneNanos;
    }

    /** When the worker should plan again after an append. */
    public enum Urgency {
        AS_PLANNED,
        /** The log was flushed before: as planned, but an idle worker has no plan and must wake. */
        IF_IDLE,
        /** The log has reached half of the bound. */
        NOW
    }

    /** Whether a finished append may be acknowledged. When not, the log becomes due at once. */
    public synchronized boolean mayAcknowledge(long nowNanos) {
        boolean mayAcknowledge = ranges.isEmpty() || nowNanos - ranges.sinceNanos() <= maxNanos;
        wanted |= !mayAcknowledge;
        return mayAcknowledge;
    }

    /** Adds the bytes that an append has written. Requires: its reservation is not released yet. */
    public synchronized Urgency appended(long firstOffset, long endOffset, long bytes, long nowNanos) {
        boolean wasFlushed = ranges.isEmpty();
        boolean wasHalf = ranges.bytes() * 2 >= maxBytes;
        long sinceNanos = reservations.isEmpty() ? nowNanos : reservations.getFirst().atNanos;
        long untilNanos = reservations.isEmpty() ? nowNanos : reservations.getLast().atNanos;
        ranges.append(firstOffset, endOffset, bytes, sinceNanos, untilNanos);
        if (!wasHalf && ranges.bytes() * 2 >= maxBytes) {
            return Urgency.NOW;
        }
        return wasFlushed ? Urgency.IF_IDLE : Urgency.AS_PLANNED;
    }

    /** The worker begins a flush of everything that is unflushed now. */
    public synchronized void flushBegins(long nowNanos) {
        ranges.seal();
        lastFlushNanos = nowNanos;
        lastFlushBytes = ranges.bytes();
        wanted = false;
    }

    /**
     * Everything before the offset is on the disk.
     *
     * @return whether this has made room, so that a waiting append should try again
     */
    public synchronized boolean flushed(long offset) {
        long before = ranges.bytes();
        ranges.flushed(offset);
        return ranges.bytes() < before;
    }

    /** Everything from the offset on has been truncated. */
    public synchronized void truncated(long offset) {
        ranges.truncated(offset);
    }

    /** The log has been emptied. */
    public synchronized void cleared() {
        ranges.clear();
    }

    /** Null when everything is flushed. */
    public synchronized @Nullable Pending pending() {
        return ranges.isEmpty()
                ? null
                : new Pending(
                        ranges.bytes(),
                        ranges.sinceNanos(),
                        ranges.untilNanos(),
                        wanted,
                        lastFlushNanos,
                        lastFlushBytes);
    }
}
