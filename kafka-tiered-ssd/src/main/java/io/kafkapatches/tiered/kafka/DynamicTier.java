/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.core.kafka.LiveSettings;
import io.kafkapatches.tiered.DynamicSettings;
import io.kafkapatches.tiered.TieredSettings;
import io.kafkapatches.tiered.TieredSsd;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** A tier whose settings {@code kafka-configs.sh} changes. Stateless. */
final class DynamicTier {
    private DynamicTier() {}

    /** @param atStart the broker's config, with our overrides, that {@code settings} were read from */
    static LiveSettings<DynamicSettings> settings(
            TieredSsd tier, TieredSettings settings, Map<String, ?> atStart, String nodeId) {
        return new LiveSettings<>(
                new LiveSettings.Subject<>(
                        "the SSD tier",
                        LoggerFactory.getLogger("io.kafkapatches.tiered"),
                        TieredSsdConfig.keys(),
                        DynamicTier::parse,
                        TieredSsdConfig::values,
                        tier::reconfigure),
                settings.dynamic(),
                atStart,
                nodeId);
    }

    private static DynamicSettings parse(Map<String, ?> values) {
        TieredSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            throw new IllegalStateException("The tier is on without " + TieredSettings.DIRS);
        }
        return settings.dynamic();
    }
}
