/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long something took, from the instant at which it was due. Thread safe. */
public final class Latencies {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final Histogram micros = new ConcurrentHistogram(HIGHEST_MICROS, 3);

    /** All of several together, as they are now. */
    public static Latencies sum(List<Latencies> parts) {
        Latencies sum = new Latencies();
        parts.forEach(part -> sum.micros.add(part.micros));
        return sum;
    }

    public void record(long nanos) {
        micros.recordValue(micros(nanos));
    }

    /** For what had not happened when waiting for it ended: it took at least that long. */
    void recordUnfinished(long nanos, long count) {
        if (count > 0) {
            micros.recordValueWithCount(micros(nanos), count);
        }
    }

    public long count() {
        return micros.getTotalCount();
    }

    /** In milliseconds; 100 is the maximum. */
    public double percentile(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    private static long micros(long nanos) {
        return Math.min(HIGHEST_MICROS, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }
}
