/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.UnflushedLog;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the flush pacer add to the cost of an append that need not wait?
 *
 * <p>Each thread appends to a log of its own.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PacedAppendBenchmark {
    private static final int BATCH_BYTES = 10_000;
    private static final int APPENDS_PER_FLUSH = 256;

    private static final FlushSettings BOUNDS =
            new FlushSettings(64 << 20, 30_000, 2 << 20, FlushSettings.UNLIMITED, 100, true, false);

    /** A log that is appended to. */
    @State(Scope.Thread)
    public static class Log {
        final UnflushedLog unflushed = new UnflushedLog();
        long endOffset;

        void flush() {
            unflushed.flushBegins(System.nanoTime());
            unflushed.flushed(endOffset);
        }
    }

    /** Does what an append does. */
    @Benchmark
    public boolean append(Log log) {
        boolean hasRoom = log.unflushed.hasRoom(BATCH_BYTES, BOUNDS);
        long nowNanos = System.nanoTime();
        log.unflushed.appended(log.endOffset, ++log.endOffset, BATCH_BYTES, BOUNDS, nowNanos);
        boolean exceeds = log.unflushed.beginsToExceed(BOUNDS, nowNanos);
        log.unflushed.pending();
        if (log.endOffset % APPENDS_PER_FLUSH == 0) {
            log.flush();
        }
        return hasRoom && !exceeds;
    }

    /** The share of the clock in that. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
