/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.flush.kafka.ConfiguredFlush;
import io.evenkeel.flush.kafka.FlushRatelimitHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogSegments;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import scala.Option;

/** What does an append pay for a flush pacer that the operator has not switched on? */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class FlushOffBenchmark {
    private final MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.allocate(10_000));
    private final Option<?> log = Option.apply(new Object());
    private final LocalLog local = local();
    private long endOffset;

    /** As in a broker whose config says nothing of flushing by rate. */
    @Setup
    public void start() {
        new ConfiguredFlush().start(Map.of(), new LogDirFailureChannel(1));
    }

    /** All that the woven code of an append calls, in a request of one partition. */
    @Benchmark
    public long append() {
        FlushRatelimitHooks.requestBegins(AppendOrigin.CLIENT);
        FlushRatelimitHooks.leads(log, records);
        FlushRatelimitHooks.written(local, endOffset, endOffset, records);
        return FlushRatelimitHooks.unflushedMessages(local, ++endOffset);
    }

    /** The same without the patch. */
    @Benchmark
    public long floor() {
        return ++endOffset;
    }

    private static LocalLog local() {
        try {
            TopicPartition partition = new TopicPartition("topic", 0);
            Path dir = Files.createTempDirectory("topic-0");
            dir.toFile().deleteOnExit();
            return new LocalLog(
                    dir.toFile(),
                    new LogConfig(Map.of()),
                    new LogSegments(partition),
                    0,
                    new LogOffsetMetadata(0),
                    new KafkaScheduler(1),
                    Time.SYSTEM,
                    partition,
                    new LogDirFailureChannel(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
