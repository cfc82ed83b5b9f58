/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

/** What {@link FlushCounts} counts, since the start of the broker and over all its log directories. */
public enum FlushCounter {
    /** Flushes of a partition by a worker. */
    FLUSHES,
    FLUSHED_BYTES,
    FLUSH_NANOS,
    LONGEST_FLUSH_NANOS(true),
    /** Time from the first unflushed byte of a partition to the begin of its flush, in total. */
    TURN_WAIT_NANOS,
    /** Flushes of partitions that were due before their rest was over. */
    ESCAPES,
    /** Calls of syncfs that have succeeded. */
    SYNCS,
    SYNC_FAILURES,
    /** The most unflushed bytes that one partition has had. */
    HIGHEST_PENDING_BYTES(true),
    /** The longest time between the first and the last unflushed byte of one partition. */
    HIGHEST_PENDING_SPAN_NANOS(true),
    /** Appends that wait now. */
    WAITING_APPENDS,
    APPEND_WAITS,
    APPEND_WAIT_NANOS,
    /** Times that a partition has come to exceed a bound. */
    BOUNDS_EXCEEDED;

    /** Whether the largest value counts; otherwise the sum does. */
    final boolean isMaximum;

    FlushCounter() {
        this(false);
    }

    FlushCounter(boolean isMaximum) {
        this.isMaximum = isMaximum;
    }
}
