/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * A partition's log, and a broker's memory of it outside of the log's directory. Not thread safe.
 *
 * <p>It treats the log as Kafka's log manager does: load, close, delete, replace by a copy in another log directory.
 */
final class LogUnderTest {
    static final String PARTITION = "topic-0";

    private static final long DELETE_DELAY_MS = 60_000;
    private static final int PRODUCER_CHECK_MS = 600_000;
    private static final int TRANSACTION_TIMEOUT_MS = 900_000;
    private static final ProducerStateManagerConfig PRODUCERS = new ProducerStateManagerConfig(86_400_000, false);

    final SteppedTime time;
    final SteppedScheduler scheduler;
    final List<Path> logDirs;
    final Map<String, Object> configs = new TreeMap<>();

    /** Where compaction goes on, as in Kafka's cleaner-offset-checkpoint. */
    long firstDirtyOffset;

    private final BrokerTopicStats stats = new BrokerTopicStats();
    private final LogDirFailureChannel failures = new LogDirFailureChannel(10);
    private UnifiedLog log;

    /** Loads the logs in the log directories, as a broker does when it starts. */
    LogUnderTest(
            List<Path> logDirs,
            SteppedTime time,
            SteppedScheduler scheduler,
            Map<String, Object> configs,
            boolean clean,
            long startOffset,
            long recoveryPoint)
            throws IOException {
        this.logDirs = List.copyOf(logDirs);
        this.time = time;
        this.scheduler = scheduler;
        this.configs.putAll(configs);
        Path dir = logDirs.get(0).resolve(PARTITION);
        for (Path partition : partitionDirs()) {
            if (partition.getFileName().toString().equals(PARTITION)) {
                dir = partition;
            } else {
                load(partition, clean, 0, 0).delete();
            }
        }
        this.log = load(dir, clean, startOffset, recoveryPoint);
    }

    UnifiedLog log() {
        return log;
    }

    Path dir() {
        return log.dir().toPath();
    }

    /** All directories of a partition in the log directories. */
    List<Path> partitionDirs() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path logDir : logDirs) {
            try (Stream<Path> entries = Files.list(logDir)) {
                entries.filter(Files::isDirectory).sorted().forEach(found::add);
            }
        }
        return found;
    }

    void configure(String key, Object value) {
        configs.put(key, value);
        log.updateConfig(new LogConfig(configs));
    }

    /** Closes the log as a broker does that shuts down; answers the recovery point that it would write down. */
    long close() {
        log.flush(true);
        log.close();
        log.removeLogMetrics();
        return log.recoveryPoint();
    }

    /** Closes and loads again. Deletes waiting files before: a new process would not wait for them. */
    void reload() throws IOException {
        finishDeletions();
        long recoveryPoint = close();
        log = load(dir(), true, log.logStartOffset(), recoveryPoint);
    }

    /** Drops the log without writing anything, lets the power cut happen to its directory, and recovers it. */
    void crash(PowerCut cut) throws IOException {
        finishDeletions();
        log.closeHandlers();
        log.producerExpireCheck().cancel(true);
        log.removeLogMetrics();
        cut.hits(dir());
        log = load(dir(), false, log.logStartOffset(), log.recoveryPoint());
    }

    /** Changes to a directory while no process runs. */
    @FunctionalInterface
    interface PowerCut {
        void hits(Path dir) throws IOException;
    }

    /** Deletes the topic, now by name and later from the disk, and creates it again at once. */
    void recreate(String unique, Path logDir) throws IOException {
        deleteLater(log, unique, false);
        firstDirtyOffset = 0;
        log = load(logDir.resolve(PARTITION), true, 0, 0);
    }

    /** The log directory that the log is not in. */
    Path otherLogDir() {
        return logDirs.stream()
                .filter(logDir -> !dir().startsWith(logDir))
                .findFirst()
                .orElseThrow();
    }

    /** An empty log in the other log directory, to be filled and to replace the present one. */
    UnifiedLog future(String unique) throws IOException {
        Path dir = otherLogDir().resolve(PARTITION + "." + unique + "-future");
        return load(dir, true, log.logStartOffset(), log.logStartOffset());
    }

    /** Puts a log that has caught up in the present one's place. */
    void replaceBy(UnifiedLog future, String unique) throws IOException {
        future.renameDir(PARTITION, true);
        future.removeLogMetrics();
        future.updateHighWatermark(log.highWatermark());
        deleteLater(log, unique, true);
        future.newMetrics();
        log = future;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the scheduler reports failures
    private void deleteLater(UnifiedLog victim, String unique, boolean reinitialize) {
        victim.renameDir(PARTITION + "." + unique + "-delete", reinitialize);
        victim.removeLogMetrics();
        victim.producerExpireCheck().cancel(true);
        scheduler.scheduleOnce("delete", victim::delete, DELETE_DELAY_MS);
    }

    private void finishDeletions() {
        time.sleep(DELETE_DELAY_MS);
        scheduler.runDue();
    }

    /**
     * Dates the file that was written to last: retention without timestamps goes by that, and the real date is chance.
     */
    void dateActiveSegment() throws IOException {
        Path file = log.activeSegment().log().file().toPath();
        if (!isDated(file) && Files.size(file) > 0) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(time.milliseconds()));
        }
    }

    /** False when the date is the file system's own. */
    boolean isDated(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toMillis() <= time.milliseconds();
    }

    /** Each segment, in all that a broker can ask about it. */
    String segments() throws IOException {
        StringBuilder all = new StringBuilder();
        for (LogSegment segment : log.logSegments()) {
            Path file = segment.log().file().toPath();
            all.append(' ')
                    .append(segment.baseOffset())
                    .append(':')
                    .append(segment.size())
                    .append('@')
                    .append(isDated(file) ? segment.lastModified() - SteppedTime.EPOCH_MS : "undated")
                    .append('/')
                    .append(segment.maxTimestampSoFar())
                    .append('/')
                    .append(segment.getFirstBatchTimestamp());
        }
        return all.toString();
    }

    private UnifiedLog load(Path dir, boolean clean, long startOffset, long recoveryPoint) throws IOException {
        return UnifiedLog.create(
                dir.toFile(),
                new LogConfig(configs),
                startOffset,
                recoveryPoint,
                scheduler,
                stats,
                time,
                TRANSACTION_TIMEOUT_MS,
                PRODUCERS,
                PRODUCER_CHECK_MS,
                failures,
                clean,
                Optional.of(new Uuid(7, 7)));
    }
}
