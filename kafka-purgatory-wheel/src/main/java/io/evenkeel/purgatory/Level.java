/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import org.jspecify.annotations.Nullable;

/**
 * One wheel of a {@link TimingWheel}: a ring of buckets, each a list in the order of insertion. Owned by one thread at
 * a time.
 *
 * <p>A bitmap of two levels, with one bit for each bucket and one bit for each word of these, finds the next occupied
 * bucket with two bit scans.
 */
final class Level {
    private static final int WORD_SHIFT = 6;

    final int number;

    /** A bucket lasts 2^shift ticks. */
    final int shift;

    final int mask;

    /**
     * The first timeout of each bucket; its {@code prev} is the last. A write of a young reference to this old array
     * costs more with G1 than the rest of this class, so only the first timeout of a bucket pays for it.
     */
    final @Nullable Timeout[] firsts;

    /** One bit for each bucket, and after these words a summary word with one bit for each of them. */
    final long[] occupied;

    final int summary;

    Level(int number, int sizeShift) {
        this.number = number;
        this.shift = number * sizeShift;
        int size = 1 << sizeShift;
        this.mask = size - 1;
        this.firsts = new Timeout[size];
        this.summary = Math.max(1, size >> WORD_SHIFT);
        this.occupied = new long[summary + 1];
    }

    /** True if the bucket of a tick is less than a turn ahead of that of {@code now}. Requires: {@code tick >= now}. */
    boolean reaches(long tick, long now) {
        return (tick >> shift) - (now >> shift) <= mask;
    }

    /** True if a bucket begins with this tick. */
    boolean startsAt(long tick) {
        return (tick & ((1L << shift) - 1)) == 0;
    }

    /** The first tick of a tick's bucket. */
    long start(long tick) {
        return tick >> shift << shift;
    }

    int bucket(long tick) {
        return (int) (tick >> shift) & mask;
    }

    @Nullable
    Timeout first(long tick) {
        return firsts[bucket(tick)];
    }

    void append(Timeout timeout, int bucket) {
        Timeout first = firsts[bucket];
        if (first == null) {
            firsts[bucket] = timeout;
            occupied[bucket >> WORD_SHIFT] |= 1L << bucket;
            occupied[summary] |= 1L << (bucket >> WORD_SHIFT);
        } else {
            Timeout last = first.prev;
            timeout.prev = last;
            last.next = timeout;
            first.prev = timeout;
        }
    }

    void unlink(Timeout timeout, int bucket) {
        Timeout first = firsts[bucket];
        Timeout prev = timeout.prev;
        Timeout next = timeout.next;
        // A removed timeout must not keep its former neighbours from being collected.
        timeout.prev = timeout;
        timeout.next = null;
        if (timeout != first) {
            prev.next = next;
            (next != null ? next : first).prev = prev;
        } else {
            firsts[bucket] = next;
            if (next != null) {
                next.prev = prev;
            } else {
                vacate(bucket);
            }
        }
    }

    private void vacate(int bucket) {
        int word = bucket >> WORD_SHIFT;
        occupied[word] &= ~(1L << bucket);
        if (occupied[word] == 0) {
            occupied[summary] &= ~(1L << word);
        }
    }

    /**
     * The first tick of the next occupied bucket; {@link Long#MAX_VALUE} if all are empty.
     *
     * <p>Requires: the bucket of {@code now} is empty, and no timeout is a turn or more ahead.
     */
    long nextStart(long now) {
        int current = bucket(now);
        int found = nextOccupied(current + 1);
        if (found < 0) {
            found = nextOccupied(0);
        }
        return found < 0 ? Long.MAX_VALUE : ((now >> shift) + ((found - current) & mask)) << shift;
    }

    /** The first occupied bucket with at least this number, or -1. */
    private int nextOccupied(int from) {
        if (from > mask) {
            return -1;
        }
        int word = from >> WORD_SHIFT;
        long bits = occupied[word] & (-1L << from);
        if (bits == 0) {
            long words = occupied[summary] & (-2L << word);
            if (words == 0) {
                return -1;
            }
            word = Long.numberOfTrailingZeros(words);
            bits = occupied[word];
        }
        return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
    }
}
