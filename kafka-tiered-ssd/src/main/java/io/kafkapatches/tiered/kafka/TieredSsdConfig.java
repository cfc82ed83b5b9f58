/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import static io.kafkapatches.tiered.TieredSettings.CAPACITY_BYTES;
import static io.kafkapatches.tiered.TieredSettings.DIRS;
import static io.kafkapatches.tiered.TieredSettings.HIGH_WATERMARK_RATIO;
import static io.kafkapatches.tiered.TieredSettings.LOW_WATERMARK_RATIO;
import static io.kafkapatches.tiered.TieredSettings.SYNC_BYTES_PER_SECOND;
import static io.kafkapatches.tiered.TieredSettings.SYNC_INTERVAL_MS;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.kafkapatches.core.NearestKey;
import io.kafkapatches.tiered.TieredSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The tier's keys in {@code server.properties}, in Kafka's own terms. Stateless. */
public final class TieredSsdConfig {
    /** All our keys begin with it; what else begins with it is a typo. */
    public static final String PREFIX = "tiered.ssd.";

    private static final String DIRS_DOC =
            "The directories for the newest log segments, each on an SSD of its own. The "
                    + "tier is on when this is set and off when it is not. With fewer SSDs than log.dirs, several log "
                    + "directories share one; with more, one log directory has several.";
    private static final String CAPACITY_DOC = "How many bytes of segments to keep in each of tiered.ssd.dirs. A new "
            + "segment takes its full segment.bytes at once, so leave room for one segment of every partition. What does "
            + "not fit is written to the HDD. Larger: consumers may lag further before they read from the HDD. Keep some "
            + "of the SSD's file system free.";
    private static final String HIGH_DOC =
            "Above this part of the capacity the segments with the oldest data leave the "
                    + "SSD, if they are complete on the HDD. Larger: more of the SSD is used, but bursts find less room.";
    private static final String LOW_DOC =
            "Eviction stops at this part of the capacity. Must be below the high watermark. "
                    + "Larger: segments leave a few at a time. The default is good.";
    private static final String RATE_DOC =
            "How many bytes a second the copies of the whole broker may move on its HDDs. "
                    + "Each byte is written once and read back once to verify it, and both count: segments are copied at half this "
                    + "rate. Larger: the HDDs follow sooner, but whoever reads from them waits longer. Half of it must exceed the "
                    + "rate at which data comes in, or the SSDs fill up and new segments go to the HDDs.";
    private static final String INTERVAL_DOC =
            "How often to look for segments to copy or to evict when there were none. "
                    + "Smaller: the HDDs follow sooner by as much. The default is good.";

    private TieredSsdConfig() {}

    /** The keys, their types, defaults and documentation. */
    public static ConfigDef definition() {
        return new ConfigDef()
                .define(DIRS, ConfigDef.Type.LIST, List.of(), HIGH, DIRS_DOC)
                .define(CAPACITY_BYTES, ConfigDef.Type.LONG, 0L, HIGH, CAPACITY_DOC)
                .define(HIGH_WATERMARK_RATIO, ConfigDef.Type.DOUBLE, 0.90, MEDIUM, HIGH_DOC)
                .define(LOW_WATERMARK_RATIO, ConfigDef.Type.DOUBLE, 0.80, MEDIUM, LOW_DOC)
                .define(SYNC_BYTES_PER_SECOND, ConfigDef.Type.LONG, 100L << 20, MEDIUM, RATE_DOC)
                .define(SYNC_INTERVAL_MS, ConfigDef.Type.LONG, 1000L, LOW, INTERVAL_DOC);
    }

    /**
     * Reads our keys out of a broker's.
     *
     * @return null when the tier is off
     * @throws ConfigException when a key is unknown, or a value impossible alone or together with another
     */
    public static @Nullable TieredSettings parse(Map<String, ?> brokerConfig) {
        Map<String, Object> ours = new TreeMap<>();
        brokerConfig.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                ours.put(key, value);
            }
        });
        ConfigDef definition = definition();
        for (Map.Entry<String, Object> entry : ours.entrySet()) {
            if (!definition.names().contains(entry.getKey())) {
                throw new ConfigException("Unknown key " + entry.getKey() + "=" + entry.getValue() + "; did you mean "
                        + NearestKey.of(entry.getKey(), definition.names()) + "?");
            }
        }
        AbstractConfig values = new AbstractConfig(definition, ours, false);
        List<String> dirs = values.getList(DIRS);
        if (dirs.isEmpty()) {
            if (!ours.isEmpty()) {
                throw new ConfigException("Keys of the SSD tier are set (" + ours.keySet() + ") but " + DIRS
                        + " is not, so it would be off; set " + DIRS + ", or remove the others.");
            }
            return null;
        }
        try {
            return new TieredSettings(
                    dirs.stream().map(dir -> Path.of(dir.trim()).normalize()).toList(),
                    values.getLong(CAPACITY_BYTES),
                    values.getDouble(HIGH_WATERMARK_RATIO),
                    values.getDouble(LOW_WATERMARK_RATIO),
                    values.getLong(SYNC_BYTES_PER_SECOND),
                    values.getLong(SYNC_INTERVAL_MS));
        } catch (InvalidPathException e) {
            throw new ConfigException(DIRS + "=" + dirs + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }
}
