/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.LoggerFactory;

/** A tier whose settings {@code kafka-configs.sh} changes. Stateless. */
final class DynamicTier {
    private DynamicTier() {}

    /** @param atStart the broker's config, with our overrides, that {@code settings} were read from */
    static LiveSettings<DynamicTierSettings> settings(
            TieredSsd tier, TierSettings settings, Map<String, ?> atStart, String nodeId) {
        ColdReadHooks.ceiling(settings.dynamic().coldReadClientCeiling());
        return new LiveSettings<>(
                new LiveSettings.Subject<>(
                        "the SSD tier",
                        LoggerFactory.getLogger("io.evenkeel.tiered"),
                        TieredSsdConfig.keys(),
                        values -> parse(values, settings.shadowSsds() > 0),
                        changed -> {
                            tier.reconfigure(changed);
                            ColdReadHooks.ceiling(changed.coldReadClientCeiling());
                        }),
                settings.dynamic(),
                atStart,
                nodeId);
    }

    private static DynamicTierSettings parse(Map<String, ?> values, boolean isShadow) {
        TierSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            throw new IllegalStateException("The tier is on without " + TierSettings.DIRS);
        }
        if ((settings.dynamic().mode() == TierMode.SHADOW) != isShadow) {
            throw new ConfigException(DynamicTierSettings.MODE
                    + " goes to and from 'shadow' at a start only: set it in server.properties and restart the"
                    + " broker.");
        }
        return settings.dynamic();
    }
}
