/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static io.evenkeel.tiered.api.DynamicTierSettings.COPY_BYTES_PER_SECOND;
import static io.evenkeel.tiered.api.DynamicTierSettings.COPY_INTERVAL_MS;
import static io.evenkeel.tiered.api.DynamicTierSettings.COPY_MIN_BYTES_PER_SECOND;
import static io.evenkeel.tiered.api.DynamicTierSettings.EXCLUDED_TOPICS;
import static io.evenkeel.tiered.api.DynamicTierSettings.FOLLOWER_PLACEMENT;
import static io.evenkeel.tiered.api.DynamicTierSettings.HIGH_WATERMARK_RATIO;
import static io.evenkeel.tiered.api.DynamicTierSettings.LOW_WATERMARK_RATIO;
import static io.evenkeel.tiered.api.DynamicTierSettings.MODE;
import static io.evenkeel.tiered.api.TierSettings.CAPACITY_BYTES;
import static io.evenkeel.tiered.api.TierSettings.DIRS;
import static io.evenkeel.tiered.api.TierSettings.ON_MISSING;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.evenkeel.core.kafka.PatchKeys;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TopicFilter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
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
            "How many bytes a second the copies of the whole broker may move on its HDDs at the most. Each byte is "
                    + "written once and read back once to verify it, and both count: segments are copied at half this "
                    + "rate. Larger: the HDDs follow sooner, but whoever reads from them waits longer. Half of it must "
                    + "exceed the rate at which data comes in, or the SSDs fill up and new segments go to the HDDs.";
    private static final String MIN_RATE_DOC =
            "How many bytes a second the copies to one HDD may move even while readers wait for that HDD. Between this "
                    + "and tiered.ssd.copy.bytes.per.second the rate follows what readers of the HDD feel, and rises as "
                    + "the SSD fills. Larger: copies give way less.";
    private static final String INTERVAL_DOC =
            "How often to look for segments to copy or to evict when there were none. "
                    + "Smaller: the HDDs follow sooner by as much. The default is good.";
    private static final String ON_MISSING_DOC =
            "What to do at the start when the log directories hold links to segments that are not on the SSDs: 'fail' "
                    + "refuses to start and touches nothing. 'truncate' gives up the missing segments and what comes "
                    + "after them in the same partition, says so for each partition, and has the replica rejoin as one "
                    + "that may have lost data. Set it for one start, when the SSD is lost for good.";
    private static final String MODE_DOC =
            "'on' places new segments on the SSDs, copies and evicts. 'paused' leaves every segment where it is, and new "
                    + "ones go to the HDDs. 'drain' moves everything to the HDDs until no link is left and the SSD "
                    + "directories are empty; then the tier can be removed. Reads and writes go on in each mode.";
    private static final String FOLLOWER_DOC =
            "Where new segments of partitions go that this broker follows: 'ssd' or 'hdd'. Leaders always write to the "
                    + "SSD. Also a topic config, which wins. 'hdd' saves SSD space and wear, but a follower that becomes "
                    + "leader has its newest data on the HDD, until it has rolled a segment and consumers have caught up.";
    private static final String EXCLUDED_DOC =
            "Regular expressions; a topic whose whole name one of them matches stays off the SSDs. What is on them "
                    + "already is copied and evicted as usual.";

    private static final Set<String> DYNAMIC = Set.of(
            MODE,
            HIGH_WATERMARK_RATIO,
            LOW_WATERMARK_RATIO,
            COPY_BYTES_PER_SECOND,
            COPY_MIN_BYTES_PER_SECOND,
            COPY_INTERVAL_MS,
            FOLLOWER_PLACEMENT,
            EXCLUDED_TOPICS);

    private static final PatchKeys KEYS = new PatchKeys(PREFIX, definition(), DYNAMIC);

    private TieredSsdConfig() {}

    /** All of them, among the others of a broker. */
    public static PatchKeys keys() {
        return KEYS;
    }

    /** The same settings by key, as an operator writes them. */
    static Map<String, String> values(DynamicTierSettings settings) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(MODE, lowerCase(settings.mode()));
        values.put(HIGH_WATERMARK_RATIO, String.valueOf(settings.highWatermarkRatio()));
        values.put(LOW_WATERMARK_RATIO, String.valueOf(settings.lowWatermarkRatio()));
        values.put(COPY_BYTES_PER_SECOND, String.valueOf(settings.copyBytesPerSecond()));
        values.put(COPY_MIN_BYTES_PER_SECOND, String.valueOf(settings.copyMinBytesPerSecond()));
        values.put(COPY_INTERVAL_MS, String.valueOf(settings.copyIntervalMs()));
        values.put(FOLLOWER_PLACEMENT, lowerCase(settings.followerPlacement()));
        values.put(EXCLUDED_TOPICS, settings.excludedTopics().toString());
        return values;
    }

    /** The keys, their types, defaults and documentation. */
    private static ConfigDef definition() {
        return new ConfigDef()
                .define(DIRS, ConfigDef.Type.LIST, List.of(), HIGH, DIRS_DOC)
                .define(CAPACITY_BYTES, ConfigDef.Type.LONG, 0L, HIGH, CAPACITY_DOC)
                .define(ON_MISSING, ConfigDef.Type.STRING, "fail", oneOf(OnMissing.values()), LOW, ON_MISSING_DOC)
                .define(MODE, ConfigDef.Type.STRING, "on", oneOf(TierMode.values()), HIGH, MODE_DOC)
                .define(HIGH_WATERMARK_RATIO, ConfigDef.Type.DOUBLE, 0.90, MEDIUM, HIGH_DOC)
                .define(LOW_WATERMARK_RATIO, ConfigDef.Type.DOUBLE, 0.80, MEDIUM, LOW_DOC)
                .define(FOLLOWER_PLACEMENT, ConfigDef.Type.STRING, "ssd", oneOf(Device.values()), MEDIUM, FOLLOWER_DOC)
                .define(EXCLUDED_TOPICS, ConfigDef.Type.LIST, List.of(), MEDIUM, EXCLUDED_DOC)
                .define(COPY_BYTES_PER_SECOND, ConfigDef.Type.LONG, 100L << 20, MEDIUM, RATE_DOC)
                .define(COPY_MIN_BYTES_PER_SECOND, ConfigDef.Type.LONG, 10L << 20, LOW, MIN_RATE_DOC)
                .define(COPY_INTERVAL_MS, ConfigDef.Type.LONG, 1000L, LOW, INTERVAL_DOC);
    }

    /**
     * Reads our keys out of a broker's.
     *
     * @return null when the tier is off
     * @throws ConfigException when a key is unknown, or a value impossible alone or together with another
     */
    public static @Nullable TierSettings parse(Map<String, ?> brokerConfig) {
        Map<String, Object> ours = KEYS.of(brokerConfig);
        AbstractConfig values = new AbstractConfig(KEYS.definition(), ours, false);
        if (!values.getList(DIRS).isEmpty()) {
            return settings(values);
        }
        if (!ours.isEmpty()) {
            throw new ConfigException("Keys of the SSD tier are set (" + ours.keySet() + ") but " + DIRS
                    + " is not, so it would be off; set " + DIRS + ", or remove the others.");
        }
        return null;
    }

    private static TierSettings settings(AbstractConfig values) {
        List<String> dirs = values.getList(DIRS);
        try {
            return new TierSettings(
                    dirs.stream().map(dir -> Path.of(dir.trim()).normalize()).toList(),
                    values.getLong(CAPACITY_BYTES),
                    valueOf(OnMissing.class, values.getString(ON_MISSING)),
                    dynamicSettings(values));
        } catch (InvalidPathException e) {
            throw new ConfigException(DIRS + "=" + dirs + ": " + e.getMessage());
        } catch (PatternSyntaxException e) {
            throw new ConfigException(EXCLUDED_TOPICS + "=" + values.getList(EXCLUDED_TOPICS) + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    private static DynamicTierSettings dynamicSettings(AbstractConfig values) {
        return new DynamicTierSettings(
                valueOf(TierMode.class, values.getString(MODE)),
                values.getDouble(HIGH_WATERMARK_RATIO),
                values.getDouble(LOW_WATERMARK_RATIO),
                values.getLong(COPY_BYTES_PER_SECOND),
                values.getLong(COPY_MIN_BYTES_PER_SECOND),
                values.getLong(COPY_INTERVAL_MS),
                valueOf(Device.class, values.getString(FOLLOWER_PLACEMENT)),
                new TopicFilter(values.getList(EXCLUDED_TOPICS)));
    }

    /** Accepts the constants in lower case, as they are written in the documentation. */
    static ConfigDef.ValidString oneOf(Enum<?>[] constants) {
        return ConfigDef.ValidString.in(
                Stream.of(constants).map(constant -> lowerCase(constant)).toArray(String[]::new));
    }

    static <E extends Enum<E>> E valueOf(Class<E> type, String value) {
        return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
