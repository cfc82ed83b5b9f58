/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

/** The names of the flush pacer's gauges that the benchmarks read, as in {@code docs/metrics.md}. Stateless. */
final class FlushGauges {
    static final String PENDING_BYTES = "PendingBytes";
    static final String MAX_PENDING_BYTES = "MaxPendingBytes";
    static final String APPEND_WAITS = "AppendWaits";
    static final String WAITING_APPENDS = "WaitingAppends";
    static final String OLDEST_PENDING_MS = "OldestPendingMs";
    static final String FLUSHES = "Flushes";
    static final String FLUSH_MS = "FlushMs";
    static final String BOUNDS_EXCEEDED = "BoundsExceeded";

    private FlushGauges() {}
}
