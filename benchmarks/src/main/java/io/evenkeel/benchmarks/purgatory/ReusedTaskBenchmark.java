/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How much memory does Kafka's timer itself allocate? The task exists already, so {@code -prof gc} shows the bytes of
 * the timer alone.
 *
 * <p>Expected: 48 bytes for stock's link cell, none when the task itself is the link cell.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
public class ReusedTaskBenchmark {
    private static final long DELAY_MS = 30_000;

    /** One value only, as the other benchmarks have this parameter: stock's or ours, by the class path. */
    @Param("kafka")
    public String design = "kafka";

    private final SystemTimer timer = new SystemTimer("benchmark");

    /** A thread's task. */
    @State(Scope.Thread)
    public static class Reused {
        private final TimerTask task = new TimerTask(DELAY_MS) {
            @Override
            public void run() {}
        };
    }

    @TearDown
    public void close() throws Exception {
        timer.close();
    }

    @Benchmark
    public void addCancel(Reused reused) {
        timer.add(reused.task);
        reused.task.cancel();
    }
}
