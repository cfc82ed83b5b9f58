/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The unflushed bytes of a log and their age: a short list of offset ranges, the oldest first. Not thread safe.
 *
 * <p>Appends share a range until it is too large or too old, so the list stays short whatever the size of a batch.
 * Where the numbers are not exact, they are too large and too old, never too small or too young: a partly flushed range
 * still counts whole.
 */
final class UnflushedRanges {
    /** A range takes at most this part of each bound. */
    private static final int PARTS = 64;
    /** Beyond it the newest range takes all: a disk may be so slow that a log is flushed long after its bounds. */
    private static final int MOST_RANGES = 2 * PARTS;

    private static final class Range {
        final long firstOffset;
        final long sinceNanos;
        long endOffset;
        long bytes;

        Range(long firstOffset, long sinceNanos) {
            this.firstOffset = firstOffset;
            this.sinceNanos = sinceNanos;
        }

        void add(long newEndOffset, long moreBytes) {
            endOffset = newEndOffset;
            bytes += moreBytes;
        }
    }

    private final Deque<Range> ranges = new ArrayDeque<>();
    private long bytes;
    private long untilNanos;
    private boolean sealed;

    /** Adds the bytes that an append has written. {@code endOffset} is one past the last. */
    void append(long firstOffset, long endOffset, long appendedBytes, FlushSettings bounds, long nowNanos) {
        Range last = ranges.peekLast();
        if (last == null || sealed || (ranges.size() < MOST_RANGES && isFull(last, appendedBytes, bounds, nowNanos))) {
            last = new Range(firstOffset, nowNanos);
            ranges.addLast(last);
            sealed = false;
        }
        last.add(endOffset, appendedBytes);
        bytes += appendedBytes;
        untilNanos = nowNanos;
    }

    private static boolean isFull(Range last, long appendedBytes, FlushSettings bounds, long nowNanos) {
        return last.bytes + appendedBytes > bounds.maxUnflushedBytes() / PARTS
                || nowNanos - last.sinceNanos > bounds.maxUnflushedNanos() / PARTS;
    }

    /** Adds offsets before all others, whose bytes do not count. */
    void prepend(long firstOffset, long endOffset, long nowNanos) {
        Range oldest = new Range(firstOffset, nowNanos);
        oldest.add(endOffset, 0);
        if (ranges.isEmpty()) {
            untilNanos = nowNanos;
            sealed = true;
        }
        ranges.addFirst(oldest);
    }

    /** A flush begins: later appends are not part of it. */
    void seal() {
        sealed = true;
    }

    /** Everything before the offset is on the disk. */
    void flushed(long offset) {
        while (!ranges.isEmpty() && ranges.getFirst().endOffset <= offset) {
            bytes -= ranges.removeFirst().bytes;
        }
    }

    /** Everything from the offset on has been truncated. */
    void truncated(long offset) {
        while (!ranges.isEmpty() && ranges.getLast().firstOffset >= offset) {
            bytes -= ranges.removeLast().bytes;
        }
        Range last = ranges.peekLast();
        if (last != null && last.endOffset > offset) {
            last.endOffset = offset;
        }
    }

    void clear() {
        ranges.clear();
        bytes = 0;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    /** When the oldest byte was written, or earlier. Requires: not empty. */
    long sinceNanos() {
        return ranges.getFirst().sinceNanos;
    }

    /** When the newest byte was written. Requires: not empty. */
    long untilNanos() {
        return untilNanos;
    }

    /** For tests: the length of the list. */
    int size() {
        return ranges.size();
    }
}
