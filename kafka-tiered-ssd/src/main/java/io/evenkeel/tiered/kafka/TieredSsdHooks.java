/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.kafka.ConfigHooks;
import io.evenkeel.tiered.TieredFileChannel;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.OpenRequest;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterable;

/**
 * The static door through which woven broker code reaches the SSD tier. Thread safe.
 *
 * <p>Until {@link ConfiguredTier} has switched the tier on, the broker runs as stock.
 */
public final class TieredSsdHooks {
    /** The scans that are under way, by the log directories. */
    private static final Map<Set<Path>, EarlyScan> EARLY_SCANS = new ConcurrentHashMap<>();

    private static volatile @Nullable RunningTier running;
    /** The same tier, for hooks that are called often. */
    private static volatile @Nullable TieredSsd tier;

    private TieredSsdHooks() {}

    /** Called when Kafka begins to define its topic configs, on controllers as on brokers. */
    public static void topicConfigs(ConfigDef definition) {
        TopicPlacement.define(definition);
    }

    /**
     * Called when {@code SharedServer} has started, the first part of a broker or controller: long before a broker with
     * a controller in the same process reaches {@link #start}, and shortly before any other broker does.
     */
    public static void scanEarly(AbstractConfig config) throws IOException {
        if (config.getList("process.roles").contains("broker")) {
            Map<String, Object> values = ConfigHooks.values(config);
            Set<Path> logDirs = LogDirs.names(values).keySet();
            EarlyScan abandoned = EARLY_SCANS.remove(logDirs);
            if (abandoned != null) {
                abandoned.close(); // an earlier start in this process has failed
            }
            EarlyScan scan = TierStart.scanEarly(values);
            if (scan != null) {
                EARLY_SCANS.put(logDirs, scan);
            }
        }
    }

    static void start(Map<String, ?> values, LogDirFailureChannel failures) throws IOException {
        RollAccess.requireKnownKafka();
        EarlyScan early = EARLY_SCANS.remove(LogDirs.names(values).keySet());
        RunningTier started = TierStart.run(values, failures, early);
        if (started != null) {
            ColdReadHooks.start(RunningTier.requestHandlers(values));
        }
        running = started;
        tier = started == null ? null : started.tier();
    }

    /** Null while the tier is off. */
    static @Nullable RunningTier running() {
        return running;
    }

    /**
     * Called on entry to {@code LogManager.shutdown}: ends copy and eviction for good. At the end of the shutdown,
     * another process may lock the log directories.
     */
    public static void shutdown() {
        RunningTier on = running;
        if (on != null) {
            on.stopWork();
        }
    }

    /**
     * Called when this broker becomes or stays the leader or a follower of a partition, before Kafka creates or opens
     * the partition's log.
     *
     * @param inSync the in-sync replicas, if this broker becomes the leader
     * @throws KafkaStorageException when it must not lead, because the log's tail was truncated when an SSD was lost;
     *     Kafka then takes the partition offline
     */
    public static void role(TopicPartition partition, boolean leader, Iterable<?> replicas, Iterable<?> inSync) {
        TieredSsd on = tier;
        if (on != null) {
            if (leader) {
                Leadership.require(on, partition, replicas.size(), inSync.size());
            }
            on.role(partition.toString(), leader);
        }
    }

    /**
     * Called when this broker becomes or stays a follower of a partition, and when the in-sync replicas of a partition
     * that it follows have changed.
     *
     * @param registration what the controller says of the partition
     */
    public static void follows(TopicPartition partition, int brokerId, Object registration) {
        TieredSsd on = tier;
        if (on != null) {
            on.follows(partition.toString(), InSync.of(registration).contains(brokerId));
        }
    }

    /** Called when this broker's replica of a partition is deleted, or has failed. */
    public static void left(TopicPartition partition) {
        TieredSsd on = tier;
        if (on != null) {
            on.left(partition.toString());
        }
    }

    /**
     * Called on exit from {@code LogSegment.shouldRoll}, which Kafka calls before each append. Allocates nothing unless
     * the log rolls.
     *
     * @param stockRolls Kafka's own decision
     */
    public static boolean shouldRoll(LogSegment active, RollParams append, boolean stockRolls) {
        TieredSsd on = tier;
        if (on == null) {
            return stockRolls;
        }
        return stockRolls || on.shouldRoll(RollAccess.channel(active), RollAccess.appendBytes(append));
    }

    /**
     * Called on entry to {@code LocalLog.append}; makes sure that the indexes can take what the append adds to them.
     */
    public static void appending(LocalLog log, Object records) throws IOException {
        if (tier == null) {
            return;
        }
        LogSegment active = log.segments().activeSegment();
        if (RollAccess.channel(active) instanceof TieredFileChannel) {
            IndexRoom.reserve(active, RollAccess.sizeInBytes(records), log.config().indexInterval);
        }
    }

    /**
     * Called on exit from {@code LocalLog.append}. The records may be on the SSD while the index, which is mapped into
     * memory, could not be written to the HDD. Then the log's end has not moved, and the next append would write the
     * same offsets again. So the log directory has to fail, as it does in stock when the records cannot be written.
     *
     * @return what the append throws; null when it has succeeded
     */
    public static @Nullable Throwable appended(LocalLog log, @Nullable Throwable thrown) {
        return thrown instanceof InternalError fault ? mappedFileFailed(log.dir(), fault) : thrown;
    }

    /** Called on exit from {@code LogSegment.onBecomeInactiveSegment}, which writes to the indexes as well. */
    public static @Nullable Throwable sealed(LogSegment segment, @Nullable Throwable thrown) throws IOException {
        if (tier != null && thrown == null) {
            IndexRoom.forget(segment);
        }
        return thrown instanceof InternalError fault ? mappedFileFailed(segment.timeIndexFile(), fault) : thrown;
    }

    private static Throwable mappedFileFailed(File file, InternalError fault) {
        return tier == null
                ? fault
                : new IOException(
                        "Cannot write an index of " + file
                                + ", which is mapped into memory: its disk is full, or it has" + " turned read-only.",
                        fault);
    }

    /**
     * Called on entry to {@code LogFileUtils.filenamePrefixFromOffset}.
     *
     * @return the same text as stock's, or null to let stock do it
     */
    public static @Nullable String fileNamePrefix(long baseOffset) {
        return tier == null ? null : FileNamePrefix.of(baseOffset);
    }

    /**
     * Called on entry to {@code LogSegment.open}: the next {@link #open} of this thread is for a log with this config.
     */
    public static void opening(AbstractConfig config) {
        if (tier != null) {
            OpenContext.begin(config);
        }
    }

    /** Called on exit from {@code LogSegment.open}, also when it throws. */
    public static void opened() {
        OpenContext.end();
    }

    /**
     * Called on entry to {@code FileRecords.openChannel}.
     *
     * @return the channel to use instead of stock's, or null to let stock open the file
     */
    public static @Nullable FileChannel open(
            File file, boolean mutable, boolean fileAlreadyExists, int initFileSize, boolean preallocate)
            throws IOException {
        TieredSsd on = tier;
        OpenRequest request = OpenContext.request();
        if (on == null || !mutable || request == null) {
            return null;
        }
        return on.open(absolute(file), request.preallocating(preallocate && !fileAlreadyExists ? initFileSize : 0));
    }

    /**
     * Called on entry to {@code FileRecords.renameTo}: until {@link #renamed}, the tier does not touch the file's path.
     */
    public static void renaming(FileChannel channel) {
        TieredSsd on = tier;
        if (on != null) {
            on.renaming(channel);
        }
    }

    /** Called on exit from {@code FileRecords.renameTo}, also when it throws; Kafka then uses the path {@code file}. */
    public static void renamed(FileChannel channel, File file) {
        TieredSsd on = tier;
        if (on != null) {
            on.renamed(channel, absolute(file));
        }
    }

    /** Called on exit from {@code FileRecords.updateParentDir}: the partition's directory has been renamed. */
    public static void moved(FileChannel channel, File file) {
        renamed(channel, file);
    }

    /** Called on exit from {@code FileRecords.deleteIfExists} when it did not throw: the HDD path is gone. */
    public static void deleted(FileChannel channel) throws IOException {
        TieredSsd on = tier;
        if (on != null) {
            on.deleted(channel);
        }
    }

    /** The path in the form that the tier uses. Kafka's path nearly always has it, and checking is faster. */
    private static Path absolute(File file) {
        Path path = file.toPath();
        return path.isAbsolute() && !file.getPath().contains("/.")
                ? path
                : path.toAbsolutePath().normalize();
    }
}
