/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which bytes of a log are not forced yet, and since when: a short list of offset ranges, the oldest first. Not thread
 * safe.
 *
 * <p>Appends share a range until it is too large or too old, so the list stays short whatever the size of a batch. What
 * is not known exactly is told too large and too old, never the other way: a range that is forced in part still counts
 * whole.
 */
final class DirtyMarks {
    /** What one range may hold of the bounds. */
    private static final int PARTS = 64;

    private static final class Mark {
        final long firstOffset;
        final long sinceNanos;
        long endOffset;
        long bytes;
        long untilNanos;

        Mark(long firstOffset, long sinceNanos) {
            this.firstOffset = firstOffset;
            this.sinceNanos = sinceNanos;
        }
    }

    private final long markBytes;
    private final long markNanos;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private long bytes;
    private boolean sealed;

    /** The arguments are the bounds of the log. */
    DirtyMarks(long maxBytes, long maxNanos) {
        this.markBytes = maxBytes / PARTS;
        this.markNanos = maxNanos / PARTS;
    }

    /**
     * Adds what an append has written. Offsets may be negative nowhere; {@code endOffset} is one past the last.
     *
     * @param sinceNanos when its first byte was let in; never earlier than that of the append before
     * @param untilNanos when its last byte was
     */
    void append(long firstOffset, long endOffset, long appendedBytes, long sinceNanos, long untilNanos) {
        Mark last = marks.peekLast();
        if (last == null
                || sealed
                || last.bytes + appendedBytes > markBytes
                || untilNanos - last.sinceNanos > markNanos) {
            last = new Mark(firstOffset, sinceNanos);
            marks.addLast(last);
            sealed = false;
        }
        last.endOffset = endOffset;
        last.bytes += appendedBytes;
        last.untilNanos = untilNanos;
        bytes += appendedBytes;
    }

    /** A force begins: what is appended from now on is not part of it. */
    void seal() {
        sealed = true;
    }

    /** Everything before the offset is on the disk. */
    void forced(long offset) {
        while (!marks.isEmpty() && marks.getFirst().endOffset <= offset) {
            bytes -= marks.removeFirst().bytes;
        }
    }

    /** Everything from the offset on is gone. */
    void truncated(long offset) {
        while (!marks.isEmpty() && marks.getLast().firstOffset >= offset) {
            bytes -= marks.removeLast().bytes;
        }
        Mark last = marks.peekLast();
        if (last != null && last.endOffset > offset) {
            last.endOffset = offset;
        }
    }

    void clear() {
        marks.clear();
        bytes = 0;
    }

    boolean isEmpty() {
        return marks.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    /** Since when the oldest byte is dirty. Requires: not empty. */
    long sinceNanos() {
        return marks.getFirst().sinceNanos;
    }

    /** When the newest byte was let in. Requires: not empty. */
    long untilNanos() {
        return marks.getLast().untilNanos;
    }

    /** For tests: how long the list is. */
    int size() {
        return marks.size();
    }
}
