/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The parts of one file that the page cache had a moment ago, so that not every send has to ask the kernel. It forgets
 * some of them early, when many are read at the same time. Thread safe.
 */
final class ResidentParts {
    static final long PART_BYTES = 1 << 20;

    private static final long VALID_MS = 100;
    private static final int SLOTS = 8;
    private static final int TIME_BITS = 40;
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;

    /** The part's number plus one in the upper bits, and the time in the lower ones. */
    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

    /** The number of the part that a position is in. */
    static long part(long position) {
        return position / PART_BYTES;
    }

    /** How many bytes there are from a position to the end of its part. */
    static long toEnd(long position) {
        return PART_BYTES - position % PART_BYTES;
    }

    /** Whether the page cache had all of a part less than {@value #VALID_MS} ms ago. */
    boolean has(long part, long nowNanos) {
        long slot = slots.get(slot(part));
        return slot >>> TIME_BITS == part + 1 && ((timeMs(nowNanos) - slot) & TIME_MASK) < VALID_MS;
    }

    /** The page cache has all of a part. */
    void add(long part, long nowNanos) {
        slots.set(slot(part), ((part + 1) << TIME_BITS) | timeMs(nowNanos));
    }

    private static int slot(long part) {
        return (int) (part % SLOTS);
    }

    private static long timeMs(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) & TIME_MASK;
    }
}
