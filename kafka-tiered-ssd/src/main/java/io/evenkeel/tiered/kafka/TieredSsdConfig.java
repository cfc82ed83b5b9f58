/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static io.evenkeel.tiered.api.DynamicTierSettings.COLD_READ_BYTES_PER_SECOND;
import static io.evenkeel.tiered.api.DynamicTierSettings.COLD_READ_CLIENT_BYTES_PER_SECOND;
import static io.evenkeel.tiered.api.DynamicTierSettings.COPY_BYTES_PER_SECOND;
import static io.evenkeel.tiered.api.DynamicTierSettings.COPY_INTERVAL_MS;
import static io.evenkeel.tiered.api.DynamicTierSettings.COPY_MIN_BYTES_PER_SECOND;
import static io.evenkeel.tiered.api.DynamicTierSettings.EXCLUDED_TOPICS;
import static io.evenkeel.tiered.api.DynamicTierSettings.FOLLOWER_PLACEMENT;
import static io.evenkeel.tiered.api.DynamicTierSettings.HIGH_WATERMARK_RATIO;
import static io.evenkeel.tiered.api.DynamicTierSettings.LOW_WATERMARK_RATIO;
import static io.evenkeel.tiered.api.DynamicTierSettings.MODE;
import static io.evenkeel.tiered.api.TierSettings.CAPACITY_BYTES;
import static io.evenkeel.tiered.api.TierSettings.COLD_READ_BUFFER_BYTES;
import static io.evenkeel.tiered.api.TierSettings.COLD_READ_ENABLE;
import static io.evenkeel.tiered.api.TierSettings.DIRS;
import static io.evenkeel.tiered.api.TierSettings.ON_MISSING;

import io.evenkeel.core.kafka.PatchKeys;
import io.evenkeel.core.kafka.PatchValues;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Reads the tier's keys in {@code server.properties}. Stateless. */
public final class TieredSsdConfig {
    private static final PatchKeys KEYS = new PatchKeys(
            "tiered.ssd.",
            List.of(
                    DIRS,
                    CAPACITY_BYTES,
                    ON_MISSING,
                    MODE,
                    HIGH_WATERMARK_RATIO,
                    LOW_WATERMARK_RATIO,
                    FOLLOWER_PLACEMENT,
                    EXCLUDED_TOPICS,
                    COPY_BYTES_PER_SECOND,
                    COPY_MIN_BYTES_PER_SECOND,
                    COPY_INTERVAL_MS,
                    COLD_READ_ENABLE,
                    COLD_READ_BUFFER_BYTES,
                    COLD_READ_BYTES_PER_SECOND,
                    COLD_READ_CLIENT_BYTES_PER_SECOND));

    private TieredSsdConfig() {}

    /** All keys of the tier. */
    public static PatchKeys keys() {
        return KEYS;
    }

    /**
     * Reads the tier's keys out of a broker's.
     *
     * @return null when the tier is off
     * @throws ConfigException when a key is unknown, or a value impossible alone or together with another
     */
    public static @Nullable TierSettings parse(Map<String, ?> brokerConfig) {
        PatchValues values = KEYS.values(brokerConfig);
        return values.settings(() -> isOn(values) ? settings(values) : null);
    }

    /**
     * Whether the tier is on, and with which keys, for the broker's log.
     *
     * @throws ConfigException as {@link #parse}
     */
    static String announcement(Map<String, ?> brokerConfig) {
        TierSettings settings = parse(brokerConfig);
        if (settings == null) {
            return "The SSD tier is off: " + DIRS + " is not set.";
        }
        String what = settings.shadowSsds() > 0
                ? "The SSD tier is in the shadow, and moves nothing: "
                : settings.ssdDirs().isEmpty() ? "Cold reads are on, without an SSD: " : "The SSD tier is on: ";
        return what + KEYS.values(brokerConfig);
    }

    private static boolean isOn(PatchValues values) {
        boolean isOn = !values.get(DIRS).isEmpty() || Boolean.TRUE.equals(values.find(COLD_READ_ENABLE));
        if (!isOn && !values.given().isEmpty()) {
            throw new ConfigException("Keys of the SSD tier are set (" + String.join(", ", values.given()) + ") but "
                    + DIRS + " is not, so it would be off; set " + DIRS + ", or remove the others.");
        }
        return isOn;
    }

    private static TierSettings settings(PatchValues values) {
        List<Path> ssdDirs = values.get(DIRS);
        boolean isShadow = values.get(MODE) == TierMode.SHADOW;
        Boolean wantsColdReads = values.find(COLD_READ_ENABLE);
        boolean hasColdReads = wantsColdReads == null ? !isShadow : wantsColdReads;
        return new TierSettings(
                isShadow ? List.of() : ssdDirs,
                isShadow ? ssdDirs.size() : 0,
                values.get(CAPACITY_BYTES),
                values.get(ON_MISSING),
                hasColdReads ? values.get(COLD_READ_BUFFER_BYTES) : 0,
                new DynamicTierSettings(
                        values.get(MODE),
                        values.get(HIGH_WATERMARK_RATIO),
                        values.get(LOW_WATERMARK_RATIO),
                        values.get(COPY_BYTES_PER_SECOND),
                        values.get(COPY_MIN_BYTES_PER_SECOND),
                        values.get(COPY_INTERVAL_MS),
                        values.get(COLD_READ_BYTES_PER_SECOND),
                        values.get(COLD_READ_CLIENT_BYTES_PER_SECOND),
                        values.get(FOLLOWER_PLACEMENT),
                        values.get(EXCLUDED_TOPICS)));
    }
}
