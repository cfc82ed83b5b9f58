/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import org.jspecify.annotations.Nullable;

/** The unflushed bytes of one log, and whether they exceed a bound. Thread safe; never waits. */
public final class UnflushedLog {
    /*
     * Ground rules. The threads that append, flush and truncate call this object, some under the lock of the partition
     * and some not; the device's worker reads it from its own thread. All meet under this object's monitor, which is
     * held for a few instructions and under which no other code is called.
     *
     * I1: only flushed() makes bytes flushed, for an offset before which everything is on the disk.
     * I2: the unflushed bytes are never told too few, nor too young, but for what was there before flushing by rate:
     *     see found().
     */

    private final UnflushedRanges ranges = new UnflushedRanges();

    private boolean wanted;
    private boolean exceeds;
    private long lastFlushNanos;
    private long lastFlushBytes;

    /**
     * The unflushed bytes of the log at an instant.
     *
     * @param sinceNanos when the oldest byte was written, or earlier
     * @param untilNanos when the newest byte was written
     * @param wanted whether an append waits for the flush
     * @param lastFlushNanos when the last flush of this log began
     * @param lastFlushBytes the size of the last flush; 0 before the first
     */
    public record Pending(
            long bytes, long sinceNanos, long untilNanos, boolean wanted, long lastFlushNanos, long lastFlushBytes) {}

    /** When the worker should plan again after an append. */
    public enum Urgency {
        AS_PLANNED,
        /** The log was flushed before: as planned, but an idle worker has no plan and must wake. */
        IF_IDLE,
        /** The log has reached half of the bound. */
        NOW
    }

    /** Whether an append keeps the bound in bytes. When not, the log is wanted until its next flush begins. */
    public synchronized boolean hasRoom(long bytes, FlushSettings bounds) {
        boolean hasRoom = ranges.isEmpty() || ranges.bytes() + bytes <= bounds.maxUnflushedBytes();
        wanted |= !hasRoom;
        return hasRoom;
    }

    /** Adds the bytes that an append has written. */
    public synchronized Urgency appended(
            long firstOffset, long endOffset, long bytes, FlushSettings bounds, long nowNanos) {
        boolean wasFlushed = ranges.isEmpty();
        boolean wasHalf = ranges.bytes() * 2 >= bounds.maxUnflushedBytes();
        ranges.append(firstOffset, endOffset, bytes, bounds, nowNanos);
        if (!wasHalf && ranges.bytes() * 2 >= bounds.maxUnflushedBytes()) {
            return Urgency.NOW;
        }
        return wasFlushed ? Urgency.IF_IDLE : Urgency.AS_PLANNED;
    }

    /**
     * Adds what was there before, up to a whole segment. Nobody knows how much of it the kernel has not written yet:
     * little, as a rule. So it is flushed in time, but its bytes do not count, and no append waits for them.
     */
    public synchronized void found(long firstOffset, long endOffset, long nowNanos) {
        ranges.prepend(firstOffset, endOffset, nowNanos);
    }

    /** Whether the unflushed bytes have come to exceed a bound since the last call. */
    public synchronized boolean beginsToExceed(FlushSettings bounds, long nowNanos) {
        boolean exceeded = exceeds;
        exceeds = !ranges.isEmpty()
                && (ranges.bytes() > bounds.maxUnflushedBytes()
                        || nowNanos - ranges.sinceNanos() > bounds.maxUnflushedNanos());
        return exceeds && !exceeded;
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

    /** The log has been emptied, or need not be flushed any more. */
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
