/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Latencies, each measured from the instant at which the operation was due. Counting can be paused, for a warm-up for
 * instance. Thread safe.
 */
public final class Latencies {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final Histogram micros = new ConcurrentHistogram(HIGHEST_MICROS, 3);
    private volatile boolean counting = true;
    private volatile @Nullable Recorder interval;

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

    /** From now on {@link #takeInterval} gives what was recorded between two calls. */
    public void startIntervals() {
        interval = new Recorder(HIGHEST_MICROS, 3);
    }

    /**
     * A histogram of the microseconds since the last call. One thread calls it.
     *
     * @throws IllegalStateException without {@link #startIntervals}
     */
    public Histogram takeInterval() {
        Recorder recorder = interval;
        if (recorder == null) {
            throw new IllegalStateException("intervals were not started");
        }
        return recorder.getIntervalHistogram();
    }

    public boolean isCounting() {
        return counting;
    }

    /** Records a latency; a negative one counts as 0. */
    public void record(long nanos) {
        if (counting) {
            long value = micros(nanos);
            micros.recordValue(value);
            Recorder recorder = interval;
            if (recorder != null) {
                recorder.recordValue(value);
            }
        }
    }

    /** Adds the histogram of an interval, in microseconds. */
    public void add(Histogram intervalMicros) {
        micros.add(intervalMicros);
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

    /** The share of the latencies from one number of milliseconds to below another; 0 when there are none. */
    public double percentBetween(long fromMs, long toMs) {
        long to = toMs > HIGHEST_MICROS / 1000 ? HIGHEST_MICROS : Math.max(0, toMs * 1000 - 1);
        return 100.0 * micros.getCountBetweenValues(fromMs * 1000, to) / Math.max(1, count());
    }

    /** For a table: p50, p99, p99.9 and maximum, in milliseconds. */
    public String describe() {
        return "%.1f / %.1f / %.0f / %.0f".formatted(percentile(50), percentile(99), percentile(99.9), percentile(100));
    }

    private static long micros(long nanos) {
        return Math.min(HIGHEST_MICROS, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }
}
