/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.concurrent.atomic.AtomicLong;

/** How long after their timeout requests expire. Thread safe. */
final class Lateness {
    private final Latencies latencies = new Latencies();
    private final AtomicLong expired = new AtomicLong();
    private final AtomicLong early = new AtomicLong();

    void record(long dueNanos) {
        long lateNanos = System.nanoTime() - dueNanos;
        expired.incrementAndGet();
        latencies.record(lateNanos);
        if (lateNanos < 0 && latencies.counts()) {
            early.incrementAndGet();
        }
    }

    /** Requests that have expired, from the beginning. */
    long expired() {
        return expired.get();
    }

    /** What part of the measured ones expired before their timeout; they are not late. */
    double early() {
        return (double) early.get() / Math.max(1, latencies.count());
    }

    /** What was measured. */
    Latencies latencies() {
        return latencies;
    }
}
