/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierSettings;
import java.util.Map;
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
                        DynamicTier::parse,
                        changed -> {
                            tier.reconfigure(changed);
                            ColdReadHooks.ceiling(changed.coldReadClientCeiling());
                        }),
                settings.dynamic(),
                atStart,
                nodeId);
    }

    private static DynamicTierSettings parse(Map<String, ?> values) {
        TierSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            throw new IllegalStateException("The tier is on without " + TierSettings.DIRS);
        }
        return settings.dynamic();
    }
}
