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

    private static final class Range {
        final long firstOffset;
        final long sinceNanos;
        long endOffset;
        long bytes;
        long untilNanos;

        Range(long firstOffset, long sinceNanos) {
            this.firstOffset = firstOffset;
            this.sinceNanos = sinceNanos;
        }
    }

    private final long rangeBytes;
    private final long rangeNanos;
    private final Deque<Range> ranges = new ArrayDeque<>();
    private long bytes;
    private boolean sealed;

    /** @param maxBytes and {@code maxNanos} are the bounds of the log */
    UnflushedRanges(long maxBytes, long maxNanos) {
        this.rangeBytes = maxBytes / PARTS;
        this.rangeNanos = maxNanos / PARTS;
    }

    /**
     * Adds the bytes that an append has written. Offsets are never negative; {@code endOffset} is one past the last.
     *
     * @param sinceNanos when its first byte was let in; never earlier than for the append before
     * @param untilNanos when its last byte was let in
     */
    void append(long firstOffset, long endOffset, long appendedBytes, long sinceNanos, long untilNanos) {
        Range last = ranges.peekLast();
        if (last == null
                || sealed
                || last.bytes + appendedBytes > rangeBytes
                || untilNanos - last.sinceNanos > rangeNanos) {
            last = new Range(firstOffset, sinceNanos);
            ranges.addLast(last);
            sealed = false;
        }
        last.endOffset = endOffset;
        last.bytes += appendedBytes;
        last.untilNanos = untilNanos;
        bytes += appendedBytes;
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

    /** When the oldest byte was let in. Requires: not empty. */
    long sinceNanos() {
        return ranges.getFirst().sinceNanos;
    }

    /** When the newest byte was let in. Requires: not empty. */
    long untilNanos() {
        return ranges.getLast().untilNanos;
    }

    /** For tests: the length of the list. */
    int size() {
        return ranges.size();
    }
}
