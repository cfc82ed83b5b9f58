/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Latencies, each measured from the instant at which the operation was due. Counting can be paused, for a warm-up for
 * instance. Thread safe.
 */
public final class Latencies {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final Histogram micros = new ConcurrentHistogram(HIGHEST_MICROS, 3);
    private volatile boolean counting = true;

    /** New latencies that do not count yet. */
    public static Latencies paused() {
        Latencies latencies = new Latencies();
        latencies.pause();
        return latencies;
    }

    /** The sum of several, as they are now. */
    public static Latencies sum(List<Latencies> parts) {
        Latencies sum = new Latencies();
        parts.forEach(part -> sum.micros.add(part.micros));
        return sum;
    }

    /** Ignores all latencies from now on, until {@link #resume}. */
    public void pause() {
        counting = false;
    }

    public void resume() {
        counting = true;
    }

    public boolean isCounting() {
        return counting;
    }

    /** Records a latency; a negative one counts as 0. */
    public void record(long nanos) {
        if (counting) {
            micros.recordValue(micros(nanos));
        }
    }

    /** Records operations that had not ended when the benchmark stopped waiting: each took at least that long. */
    public void recordUnfinished(long nanos, long count) {
        if (count > 0) {
            micros.recordValueWithCount(micros(nanos), count);
        }
    }

    public long count() {
        return micros.getTotalCount();
    }

    /** A percentile in milliseconds; 100 is the maximum. */
    public double percentile(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** For a table: p50, p99, p99.9 and maximum, in milliseconds. */
    public String describe() {
        return "%.1f / %.1f / %.0f / %.0f".formatted(percentile(50), percentile(99), percentile(99.9), percentile(100));
    }

    private static long micros(long nanos) {
        return Math.min(HIGHEST_MICROS, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }
}
