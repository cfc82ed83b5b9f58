/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Latencies;
import java.util.concurrent.atomic.AtomicLong;

/** The time from the timeout of requests until they expire. Thread safe. */
final class Lateness {
    private final Latencies latencies = Latencies.paused();
    private final AtomicLong expired = new AtomicLong();
    private final AtomicLong early = new AtomicLong();

    void record(long dueNanos) {
        long lateNanos = System.nanoTime() - dueNanos;
        expired.incrementAndGet();
        latencies.record(lateNanos);
        if (lateNanos < 0 && latencies.isCounting()) {
            early.incrementAndGet();
        }
    }

    /** Requests that have expired since the beginning. */
    long expired() {
        return expired.get();
    }

    /** The share of the measured requests that expired before their timeout; their lateness counts as 0. */
    double early() {
        return (double) early.get() / Math.max(1, latencies.count());
    }

    Latencies latencies() {
        return latencies;
    }
}
