/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.HandlerShare;
import io.evenkeel.flush.SequencedBatch;
import io.evenkeel.flush.UnflushedLog;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * <p>Each thread appends to a log of its own. All logs are in one log directory, so the threads share one
 * {@link HandlerShare}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PacedAppendBenchmark {
    private static final int BATCH_BYTES = 10_000;
    private static final int APPENDS_PER_FLUSH = 256;

    /** One log directory. */
    @State(Scope.Benchmark)
    public static class LogDir {
        final HandlerShare share = new HandlerShare(64);
    }

    /** A log, and the batch that is appended to it. */
    @State(Scope.Thread)
    public static class Log {
        final UnflushedLog unflushed =
                new UnflushedLog(new FlushSettings(64 << 20, 30_000, new FlushRates(2 << 20, FlushRates.UNLIMITED)));
        final ByteBuffer records = ByteBuffer.allocate(BATCH_BYTES).put(16, (byte) 2); // the version of the format
        long endOffset;

        void flush() {
            unflushed.flushBegins(System.nanoTime());
            unflushed.flushed(endOffset);
        }
    }

    /** Reads the clock as often as an append does. */
    @Benchmark
    public @Nullable SequencedBatch append(LogDir dir, Log log) {
        SequencedBatch batch = SequencedBatch.of(log.records);
        HandlerShare.Held handler = Objects.requireNonNull(dir.share.enter(1, System.nanoTime()));
        UnflushedLog.Reservation reservation =
                Objects.requireNonNull(log.unflushed.reserve(BATCH_BYTES, System.nanoTime()));
        log.unflushed.appended(log.endOffset, ++log.endOffset, BATCH_BYTES, System.nanoTime());
        log.unflushed.pending();
        reservation.release();
        handler.leave(System.nanoTime());
        log.unflushed.mayAcknowledge(System.nanoTime());
        if (log.endOffset % APPENDS_PER_FLUSH == 0) {
            log.flush();
        }
        return batch;
    }

    /** The share of the clock in that. */
    @Benchmark
    public long clock() {
        return System.nanoTime() + System.nanoTime() + System.nanoTime() + System.nanoTime() + System.nanoTime();
    }
}
