/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogSegments;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** One of Kafka's logs, on a disk that a test can stop and break. What it flushes, it does flush. */
final class TestLog extends UnifiedLog {
    static final int BATCH_BYTES = 64 << 10;
    /** Room for two batches, and so long that nothing is due by age. */
    static final FlushSettings SETTINGS =
            new FlushSettings(2 * BATCH_BYTES, 86_400_000, 1 << 20, FlushSettings.UNLIMITED, 0, true, false);

    private static final Scheduler NEVER = (Scheduler) Proxy.newProxyInstance(
            TestLog.class.getClassLoader(), new Class<?>[] {Scheduler.class}, (proxy, method, arguments) -> null);

    final LocalLog local;
    final AtomicInteger flushes = new AtomicInteger();
    /** Each flush takes one. */
    final Semaphore disk = new Semaphore(1_000_000);

    volatile boolean broken;
    volatile boolean odd;
    volatile Runnable inFlush = () -> {};

    static TestLog in(Path logDir, String topic) throws IOException {
        Path dir = Files.createDirectories(logDir.resolve(topic + "-0"));
        TopicPartition partition = new TopicPartition(topic, 0);
        LogConfig config = new LogConfig(Map.of());
        LogSegments segments = new LogSegments(partition);
        segments.add(LogSegment.open(dir.toFile(), 0, config, Time.SYSTEM, config.initFileSize(), false));
        LogDirFailureChannel failures = new LogDirFailureChannel(1);
        LogOffsetMetadata begin = new LogOffsetMetadata(0, 0, 0);
        return new TestLog(
                new LocalLog(dir.toFile(), config, segments, 0, begin, NEVER, Time.SYSTEM, partition, failures),
                failures);
    }

    /** The same, with its segment on another disk. */
    static TestLog linked(Path logDir, String topic, Path otherDisk) throws IOException {
        Path dir = Files.createDirectories(logDir.resolve(topic + "-0"));
        Path segment = Files.createFile(otherDisk.resolve(topic + ".log"));
        Files.createSymbolicLink(LogFileUtils.logFile(dir.toFile(), 0).toPath(), segment);
        return in(logDir, topic);
    }

    private TestLog(LocalLog local, LogDirFailureChannel failures) throws IOException {
        super(
                0,
                local,
                new BrokerTopicStats(),
                1000,
                new LeaderEpochFileCache(
                        local.topicPartition(),
                        new LeaderEpochCheckpointFile(
                                local.dir()
                                        .toPath()
                                        .resolve("leader-epoch-checkpoint")
                                        .toFile(),
                                failures),
                        NEVER),
                new ProducerStateManager(
                        local.topicPartition(),
                        local.dir(),
                        1000,
                        new ProducerStateManagerConfig(1000, false),
                        Time.SYSTEM),
                Optional.empty(),
                false,
                LogOffsetsListener.NO_OP_OFFSETS_LISTENER);
        this.local = local;
    }

    /** A new one of {@link #BATCH_BYTES}, or a little more. */
    void append(KafkaPacedLog paced) throws IOException {
        long offset = local.logEndOffset();
        MemoryRecords records =
                MemoryRecords.withRecords(offset, Compression.NONE, new SimpleRecord(new byte[BATCH_BYTES]));
        local.append(offset, records);
        paced.appended(offset, offset + 1, BATCH_BYTES, System.nanoTime());
    }

    @Override
    public void flush(boolean forceFlushActiveSegment) {
        flushes.incrementAndGet();
        disk.acquireUninterruptibly();
        inFlush.run();
        if (broken) {
            local.logDirFailureChannel().maybeAddOfflineLogDir(local.parentDir(), "broken", new IOException("broken"));
            throw new KafkaStorageException("broken");
        }
        if (odd) {
            throw new IllegalStateException("not the disk's fault");
        }
        super.flush(forceFlushActiveSegment);
    }
}
