/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SynchronizedHistogram;

/** How long something took while it was measured. Thread safe. */
final class Latencies {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final SynchronizedHistogram micros = new SynchronizedHistogram(HIGHEST_MICROS, 3);
    private volatile boolean counts;

    /** Whether what is recorded now is part of what is measured. */
    void count(boolean now) {
        counts = now;
    }

    boolean counts() {
        return counts;
    }

    /** Less than none counts as none. */
    void record(long nanos) {
        if (counts) {
            micros.recordValue(Math.min(HIGHEST_MICROS, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos))));
        }
    }

    long count() {
        return micros.getTotalCount();
    }

    /** In milliseconds; 100 is the maximum. */
    double percentile(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }
}
