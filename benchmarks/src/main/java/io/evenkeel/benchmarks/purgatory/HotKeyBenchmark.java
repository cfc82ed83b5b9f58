/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.purgatory.design.PurgatoryDesign;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a key cost under which very many requests wait, as fetches do at the end of a popular partition?
 *
 * <p>Expected: a check that can complete no request costs a lock and a try for each request, whatever the list is made
 * of. The completion of one request should cost the same as without the others.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 4, time = 1)
public class HotKeyBenchmark {
    private static final int WAITING = 10_000;
    private static final long TIMEOUT_MS = TimeUnit.HOURS.toMillis(1);

    /** {@code kafka} is stock's or ours, by the class path. */
    @Param({"kafka", "delayQueue"})
    public String design = "kafka";

    private final TopicPartitionOperationKey hot = new TopicPartitionOperationKey("topic", 0);
    private PurgatoryDesign purgatory = PurgatoryDesign.named("empty");

    @Setup
    public void open() {
        purgatory = PurgatoryDesign.named(design);
        for (int i = 0; i < WAITING; i++) {
            purgatory.watch(List.of(hot), TIMEOUT_MS, PurgatoryDesign.NOTHING);
        }
    }

    @TearDown
    public void close() {
        purgatory.close();
    }

    /** The time for each of the waiting requests, none of which can be completed. */
    @Benchmark
    @OperationsPerInvocation(WAITING)
    public int checkHotKey() {
        return purgatory.checkAndComplete(hot);
    }

    /** The time to watch and complete one more request, while all others keep waiting. */
    @Benchmark
    public boolean completeOneOfHotKey() {
        return purgatory
                .watch(List.of(hot), TIMEOUT_MS, PurgatoryDesign.NOTHING)
                .complete();
    }
}
