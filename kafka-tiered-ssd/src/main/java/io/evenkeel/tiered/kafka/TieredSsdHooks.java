/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.OpenRequest;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.Iterable;

/**
 * The static door through which woven broker code reaches the SSD tier. Thread safe.
 *
 * <p>Until {@link #start} has switched the tier on, the broker runs as stock, and what the methods do is to know our
 * keys.
 */
public final class TieredSsdHooks {
    private static volatile Map<String, String> overrides = Map.of();
    /** Looks that are under way, by the log directories. */
    private static final Map<Set<Path>, EarlyScan> LOOKS_AHEAD = new ConcurrentHashMap<>();

    private static volatile @Nullable RunningTier running;
    /** The same tier, for what is called often. */
    private static volatile @Nullable TieredSsd tier;

    private TieredSsdHooks() {}

    /** Keys that the agent's {@code config=<file>} adds to the broker's own config, or overrides in it. */
    public static void overrides(Map<String, String> keys) {
        overrides = Map.copyOf(keys);
    }

    /** Called when Kafka begins to define its topic configs, on controllers as on brokers. */
    public static void topicConfigs(ConfigDef definition) {
        TopicPlacement.define(definition);
    }

    /**
     * Called when {@code SharedServer} has started, the first part of a broker or controller: long before a broker with
     * a controller in the same process, and shortly before any other, comes to {@link #start}.
     */
    public static void lookAhead(AbstractConfig config) throws IOException {
        if (config.getList("process.roles").contains("broker")) {
            Set<Path> logDirs = LogDirs.names(config.originals()).keySet();
            EarlyScan abandoned = LOOKS_AHEAD.remove(logDirs);
            if (abandoned != null) {
                abandoned.close(); // a start in this process did not get on
            }
            EarlyScan look = TierStart.lookAhead(config.originals(), overrides);
            if (look != null) {
                LOOKS_AHEAD.put(logDirs, look);
            }
        }
    }

    /**
     * Called on entry to {@code LogManager.apply}, before any log is loaded.
     *
     * @param failures where Kafka waits for log directories that have failed
     * @throws org.apache.kafka.common.config.ConfigException when a {@code tiered.ssd.*} key is unknown or impossible
     * @throws IOException when the disks do not hold what they promise
     */
    public static void start(AbstractConfig config, LogDirFailureChannel failures) throws IOException {
        RollAccess.requireKnownKafka();
        EarlyScan ahead = LOOKS_AHEAD.remove(LogDirs.names(config.originals()).keySet());
        RunningTier started = TierStart.run(config.originals(), overrides, failures, ahead);
        running = started;
        tier = started == null ? null : started.tier();
    }

    /**
     * Called on entry to {@code LogManager.shutdown}, at the end of which another process may lock the log directories:
     * from now on, nothing is copied or evicted.
     */
    public static void shutdown() {
        RunningTier on = running;
        if (on != null) {
            on.stopWork();
        }
    }

    /**
     * Called on entry to {@code DynamicBrokerConfig.validate}, on a broker or controller that was asked to change
     * configs.
     *
     * @param configs all that a broker, or all brokers, would have then
     * @param perBroker whether they are of one broker
     * @throws org.apache.kafka.common.config.ConfigException when one of ours is unknown, static or impossible; Kafka
     *     then refuses the change with this message
     */
    public static void validate(Properties configs, boolean perBroker) {
        Map<String, String> ours = TieredSsdConfig.keys().checkedChange(configs);
        RunningTier on = running;
        if (on != null) {
            on.settings().check(ours, perBroker);
        }
    }

    /**
     * Called on entry to {@code BrokerMetadataPublisher.onMetadataUpdate}: the first time before any log is loaded,
     * later for each change of the cluster's metadata.
     */
    public static void metadata(MetadataImage image) {
        RunningTier on = running;
        if (on != null) {
            on.settings().update(image.configs());
            on.work();
        }
    }

    /** Called on exit from {@code KafkaConfig.configType}: without a type, a value is hidden when it is described. */
    public static Option<ConfigDef.Type> configType(String key, Option<ConfigDef.Type> stock) {
        ConfigDef.Type ours = TieredSsdConfig.keys().typeOf(key);
        return ours == null ? stock : Option.apply(ours);
    }

    /**
     * Called when this broker becomes the leader or a follower of a partition, or stays what it is, before Kafka
     * creates or opens the log of it.
     *
     * @param inSync the replicas that the controller takes for complete, if this one is to lead
     * @throws KafkaStorageException when it is to lead but has given up records; Kafka then takes the partition offline
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

    /** Called when this broker's replica of a partition is deleted, or has failed. */
    public static void left(TopicPartition partition) {
        TieredSsd on = tier;
        if (on != null) {
            on.left(partition.toString());
        }
    }

    /**
     * Called on exit from {@code LogSegment.shouldRoll}, which Kafka asks before each append: allocates nothing unless
     * the log rolls.
     *
     * @param stockRolls what Kafka has decided
     */
    public static boolean shouldRoll(LogSegment active, RollParams append, boolean stockRolls) {
        TieredSsd on = tier;
        if (on == null) {
            return stockRolls;
        }
        long dataTimeMs = RollAccess.dataTimeMs(append);
        boolean rolls = stockRolls || on.shouldRoll(RollAccess.channel(active), dataTimeMs);
        if (rolls) {
            OpenContext.rolls(dataTimeMs);
        }
        return rolls;
    }

    /**
     * Called on entry to {@code LogFileUtils.filenamePrefixFromOffset}.
     *
     * @return what stock would, or null to let stock do it
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
     * Called on entry to {@code FileRecords.renameTo}: until {@link #renamed}, nothing else touches the file's path.
     */
    public static void renaming(FileChannel channel) {
        TieredSsd on = tier;
        if (on != null) {
            on.renaming(channel);
        }
    }

    /** Called on exit from {@code FileRecords.renameTo}, also when it throws; Kafka then believes in {@code file}. */
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

    /** As the log directories are written in the tier. Kafka nearly always says it like that, and a look is quicker. */
    private static Path absolute(File file) {
        Path path = file.toPath();
        return path.isAbsolute() && !file.getPath().contains("/.")
                ? path
                : path.toAbsolutePath().normalize();
    }
}
