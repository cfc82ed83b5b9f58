/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What one log has not forced yet, and whether there is room for more. Thread safe; never waits. */
public final class DirtyLog {
    /*
     * Ground rules. Appends, forces and truncations are told by whoever does them, under the lock of the partition or not;
     * the device's worker looks on from its own thread. All meet under this object's monitor, which is held for a few
     * instructions and under which nothing else is called.
     *
     * I1: bytes that are promised to running appends and dirty bytes are never more than the bound together, except that one
     *     batch that is larger than the bound may go into a clean log by itself.
     * I2: all that is dirty or promised was promised within the bound in time. For when something is promised, nothing that is dirty
     *     or promised already is older than the bound. So what a power cut can take was let in within the bound, although it may
     *     lie there longer when a device has stopped, and may be written later: an append that was let in can be held up by the
     *     disk. What is written therefore counts from the oldest promise that is open: its own, or an older one.
     * I8: what is acknowledged and dirty was acknowledged within the bound in time, too. For an append that was held up, or one after it,
     *     is only acknowledged when nothing that is dirty by then is older than the bound.
     * I3: only forced() makes a byte clean, for an offset before which everything is on the disk.
     */

    private final long maxBytes;
    private final long maxNanos;
    private final DirtyMarks marks;
    /** The oldest first; those that have been released leave when they are the oldest. */
    private final Deque<Promise> promises = new ArrayDeque<>();

    private long promisedBytes;
    private boolean wanted;
    private long lastForcedNanos;
    private long lastForcedBytes;

    /** Room for an append, until it is released. */
    public final class Promise {
        private final long bytes;
        private final long atNanos;
        private boolean released;

        private Promise(long bytes, long atNanos) {
            this.bytes = bytes;
            this.atNanos = atNanos;
        }

        /**
         * The append is over, however it ended; to be called once.
         *
         * @return whether an append waits that may ask again
         */
        public boolean release() {
            synchronized (DirtyLog.this) {
                released = true;
                promisedBytes -= bytes;
                while (!promises.isEmpty() && promises.getFirst().released) {
                    promises.removeFirst();
                }
                return wanted;
            }
        }
    }

    /**
     * What there is to force.
     *
     * @param sinceNanos when the oldest byte of it was let in, or earlier
     * @param untilNanos when the newest was, or later
     * @param wanted whether an append waits for it
     * @param lastForcedNanos when the worker has forced this log last
     * @param lastForcedBytes how much that was; 0 when there was no last time
     */
    public record Pending(
            long bytes, long sinceNanos, long untilNanos, boolean wanted, long lastForcedNanos, long lastForcedBytes) {}

    public DirtyLog(FlushSettings settings) {
        this.maxBytes = settings.maxUnflushedBytes();
        this.maxNanos = TimeUnit.MILLISECONDS.toNanos(settings.maxUnflushedMs());
        this.marks = new DirtyMarks(maxBytes, maxNanos);
    }

    /** Promises room to an append. Null when there is none: then the log becomes due at once. */
    public synchronized @Nullable Promise reserve(long bytes, long nowNanos) {
        boolean isClean = marks.isEmpty() && promises.isEmpty();
        boolean hasRoom = marks.bytes() + promisedBytes + bytes <= maxBytes;
        if (isClean || (hasRoom && oldestAgeNanos(nowNanos) <= maxNanos)) {
            // the caller may have read the clock before another one did that was faster here
            long atNanos = promises.isEmpty() ? nowNanos : later(promises.getLast().atNanos, nowNanos);
            Promise promise = new Promise(bytes, atNanos);
            promises.addLast(promise);
            promisedBytes += bytes;
            return promise;
        }
        wanted = true;
        return null;
    }

    /** Of what is dirty or promised; requires that there is something. */
    private long oldestAgeNanos(long nowNanos) {
        long ofDirty = marks.isEmpty() ? Long.MIN_VALUE : nowNanos - marks.sinceNanos();
        long ofPromised = promises.isEmpty() ? Long.MIN_VALUE : nowNanos - promises.getFirst().atNanos;
        return Math.max(ofDirty, ofPromised);
    }

    private static long later(long oneNanos, long otherNanos) {
        return otherNanos - oneNanos > 0 ? otherNanos : oneNanos;
    }

    /** When the worker should look at a log that was appended to. */
    public enum Look {
        AS_PLANNED,
        /** It was clean: as planned, but there may be no plan when nothing else is dirty. */
        IF_IDLE,
        /** It is half full. */
        NOW
    }

    /** Whether an append that is over may be acknowledged. When not, the log becomes due at once. */
    public synchronized boolean mayAcknowledge(long nowNanos) {
        boolean mayAcknowledge = marks.isEmpty() || nowNanos - marks.sinceNanos() <= maxNanos;
        wanted |= !mayAcknowledge;
        return mayAcknowledge;
    }

    /** Adds what an append has written; it has not been released yet. */
    public synchronized Look appended(long firstOffset, long endOffset, long bytes, long nowNanos) {
        boolean wasClean = marks.isEmpty();
        boolean wasHalf = marks.bytes() * 2 >= maxBytes;
        long sinceNanos = promises.isEmpty() ? nowNanos : promises.getFirst().atNanos;
        long untilNanos = promises.isEmpty() ? nowNanos : promises.getLast().atNanos;
        marks.append(firstOffset, endOffset, bytes, sinceNanos, untilNanos);
        if (!wasHalf && marks.bytes() * 2 >= maxBytes) {
            return Look.NOW;
        }
        return wasClean ? Look.IF_IDLE : Look.AS_PLANNED;
    }

    /** The worker begins to force all that is there now. */
    public synchronized void forcing(long nowNanos) {
        marks.seal();
        lastForcedNanos = nowNanos;
        lastForcedBytes = marks.bytes();
        wanted = false;
    }

    /**
     * Everything before the offset is on the disk.
     *
     * @return whether that made anything clean, so that an append that waits may ask again
     */
    public synchronized boolean forced(long offset) {
        long before = marks.bytes();
        marks.forced(offset);
        return marks.bytes() < before;
    }

    /** Everything from the offset on is gone. */
    public synchronized void truncated(long offset) {
        marks.truncated(offset);
    }

    /** The log has begun anew. */
    public synchronized void cleared() {
        marks.clear();
    }

    /** Null when there is nothing to force. */
    public synchronized @Nullable Pending pending() {
        return marks.isEmpty()
                ? null
                : new Pending(
                        marks.bytes(),
                        marks.sinceNanos(),
                        marks.untilNanos(),
                        wanted,
                        lastForcedNanos,
                        lastForcedBytes);
    }
}
