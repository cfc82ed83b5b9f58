/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What one log has not flushed yet, and whether there is room for more. Thread safe; never waits. */
public final class UnflushedLog {
    /*
     * Ground rules. Appends, flushes and truncations are told by whoever does them, under the lock of the partition or not;
     * the device's worker looks on from its own thread. All meet under this object's monitor, which is held for a few
     * instructions and under which nothing else is called.
     *
     * I1: bytes that are reserved to running appends and unflushed bytes are never more than the bound together, except that one
     *     batch that is larger than the bound may go into a clean log by itself.
     * I2: all that is unflushed or reserved was reserved within the bound in time. For when something is reserved, nothing that is unflushed
     *     or reserved already is older than the bound. So what a power cut can take was let in within the bound, although it may
     *     lie there longer when a device has stopped, and may be written later: an append that was let in can be held up by the
     *     disk. What is written therefore counts from the oldest reservation that is open: its own, or an older one.
     * I8: what is acknowledged and unflushed was acknowledged within the bound in time, too. For an append that was held up, or one after it,
     *     is only acknowledged when nothing that is unflushed by then is older than the bound.
     * I3: only flushed() makes a byte clean, for an offset before which everything is on the disk.
     */

    private final long maxBytes;
    private final long maxNanos;
    private final UnflushedRanges ranges;
    /** The oldest first; those that have been released leave when they are the oldest. */
    private final Deque<Reservation> reservations = new ArrayDeque<>();

    private long reservedBytes;
    private boolean wanted;
    private long lastFlushedNanos;
    private long lastFlushedBytes;

    /** Room for an append, until it is released. */
    public final class Reservation {
        private final long bytes;
        private final long atNanos;
        private boolean released;

        private Reservation(long bytes, long atNanos) {
            this.bytes = bytes;
            this.atNanos = atNanos;
        }

        /**
         * The append is over, however it ended; to be called once.
         *
         * @return whether an append waits that may ask again
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
     * What there is to flush.
     *
     * @param sinceNanos when the oldest byte of it was let in, or earlier
     * @param untilNanos when the newest was, or later
     * @param wanted whether an append waits for it
     * @param lastFlushedNanos when the worker has flushed this log last
     * @param lastFlushedBytes how much that was; 0 when there was no last time
     */
    public record Pending(
            long bytes, long sinceNanos, long untilNanos, boolean wanted, long lastFlushedNanos, long lastFlushedBytes) {}

    public UnflushedLog(FlushSettings settings) {
        this.maxBytes = settings.maxUnflushedBytes();
        this.maxNanos = TimeUnit.MILLISECONDS.toNanos(settings.maxUnflushedMs());
        this.ranges = new UnflushedRanges(maxBytes, maxNanos);
    }

    /** Reserves room to an append. Null when there is none: then the log becomes due at once. */
    public synchronized @Nullable Reservation reserve(long bytes, long nowNanos) {
        boolean isClean = ranges.isEmpty() && reservations.isEmpty();
        boolean hasRoom = ranges.bytes() + reservedBytes + bytes <= maxBytes;
        if (isClean || (hasRoom && oldestAgeNanos(nowNanos) <= maxNanos)) {
            // the caller may have read the clock before another one did that was faster here
            long atNanos = reservations.isEmpty() ? nowNanos : later(reservations.getLast().atNanos, nowNanos);
            Reservation reservation = new Reservation(bytes, atNanos);
            reservations.addLast(reservation);
            reservedBytes += bytes;
            return reservation;
        }
        wanted = true;
        return null;
    }

    /** Of what is unflushed or reserved; requires that there is something. */
    private long oldestAgeNanos(long nowNanos) {
        long ofUnflushed = ranges.isEmpty() ? Long.MIN_VALUE : nowNanos - ranges.sinceNanos();
        long ofReserved = reservations.isEmpty() ? Long.MIN_VALUE : nowNanos - reservations.getFirst().atNanos;
        return Math.max(ofUnflushed, ofReserved);
    }

    private static long later(long oneNanos, long otherNanos) {
        return otherNanos - oneNanos > 0 ? otherNanos : oneNanos;
    }

    /** When the worker should look at a log that was appended to. */
    public enum Urgency {
        AS_PLANNED,
        /** It was clean: as planned, but there may be no plan when nothing else is unflushed. */
        IF_IDLE,
        /** It is half full. */
        NOW
    }

    /** Whether an append that is over may be acknowledged. When not, the log becomes due at once. */
    public synchronized boolean mayAcknowledge(long nowNanos) {
        boolean mayAcknowledge = ranges.isEmpty() || nowNanos - ranges.sinceNanos() <= maxNanos;
        wanted |= !mayAcknowledge;
        return mayAcknowledge;
    }

    /** Adds what an append has written; it has not been released yet. */
    public synchronized Urgency appended(long firstOffset, long endOffset, long bytes, long nowNanos) {
        boolean wasClean = ranges.isEmpty();
        boolean wasHalf = ranges.bytes() * 2 >= maxBytes;
        long sinceNanos = reservations.isEmpty() ? nowNanos : reservations.getFirst().atNanos;
        long untilNanos = reservations.isEmpty() ? nowNanos : reservations.getLast().atNanos;
        ranges.append(firstOffset, endOffset, bytes, sinceNanos, untilNanos);
        if (!wasHalf && ranges.bytes() * 2 >= maxBytes) {
            return Urgency.NOW;
        }
        return wasClean ? Urgency.IF_IDLE : Urgency.AS_PLANNED;
    }

    /** The worker begins to flush all that is there now. */
    public synchronized void flushBegins(long nowNanos) {
        ranges.seal();
        lastFlushedNanos = nowNanos;
        lastFlushedBytes = ranges.bytes();
        wanted = false;
    }

    /**
     * Everything before the offset is on the disk.
     *
     * @return whether that made anything clean, so that an append that waits may ask again
     */
    public synchronized boolean flushed(long offset) {
        long before = ranges.bytes();
        ranges.flushed(offset);
        return ranges.bytes() < before;
    }

    /** Everything from the offset on is gone. */
    public synchronized void truncated(long offset) {
        ranges.truncated(offset);
    }

    /** The log has begun anew. */
    public synchronized void cleared() {
        ranges.clear();
    }

    /** Null when there is nothing to flush. */
    public synchronized @Nullable Pending pending() {
        return ranges.isEmpty()
                ? null
                : new Pending(
                        ranges.bytes(),
                        ranges.sinceNanos(),
                        ranges.untilNanos(),
                        wanted,
                        lastFlushedNanos,
                        lastFlushedBytes);
    }
}
