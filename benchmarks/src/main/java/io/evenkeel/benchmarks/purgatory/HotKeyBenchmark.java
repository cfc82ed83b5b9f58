/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

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
 * What does a key cost under which very many wait, as consumers do at the end of a popular partition?
 *
 * <p>Shape of the answer: a look that can complete nobody costs a lock and a try for each who waits, whatever the list
 * is made of; to complete one should cost what it costs when nobody else waits.
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
    private PurgatoryDesign purgatory = new EmptyPurgatoryDesign();

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

    /** The time for each of those who wait, none of whom can be completed. */
    @Benchmark
    @OperationsPerInvocation(WAITING)
    public int checkHotKey() {
        return purgatory.checkAndComplete(hot);
    }

    /** The time of one more who waits and is completed, while all others stay. */
    @Benchmark
    public boolean completeOneOfHotKey() {
        return purgatory
                .watch(List.of(hot), TIMEOUT_MS, PurgatoryDesign.NOTHING)
                .complete();
    }
}
