/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.purgatory.design.PurgatoryDesign;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a request cost that waits under some keys and is completed at once?
 *
 * <p>All threads watch the same keys: one as a produce request has, three as in the redesign proposal, a hundred as a
 * busy consumer has, and 2,000 as a follower has.
 *
 * <p>Expected: a fixed time for each key, and for a design that keeps completed requests the time to purge them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 4, time = 1)
public class PurgatoryBenchmark {
    private static final long TIMEOUT_MS = 30_000;

    /** {@code kafka} is stock's or ours, by the class path. */
    @Param({"kafka", "delayQueue"})
    public String design = "kafka";

    @Param({"1", "3", "100", "2000"})
    public int keys = 1;

    private List<TopicPartitionOperationKey> watched = List.of();
    private PurgatoryDesign purgatory = PurgatoryDesign.named("empty");

    @Setup
    public void open() {
        watched = IntStream.range(0, keys)
                .mapToObj(partition -> new TopicPartitionOperationKey("topic", partition))
                .toList();
        purgatory = PurgatoryDesign.named(design);
    }

    @TearDown
    public void close() {
        purgatory.close();
    }

    /** The request's condition comes true, and the thread that made it true checks one of its keys. */
    @Benchmark
    public int watchCheck() {
        PurgatoryDesign.Waiting request = purgatory.watch(watched, TIMEOUT_MS, PurgatoryDesign.NOTHING);
        request.allow();
        return purgatory.checkAndComplete(watched.get(0));
    }

    /** The request is completed directly. */
    @Benchmark
    public boolean watchComplete() {
        return purgatory.watch(watched, TIMEOUT_MS, PurgatoryDesign.NOTHING).complete();
    }
}
