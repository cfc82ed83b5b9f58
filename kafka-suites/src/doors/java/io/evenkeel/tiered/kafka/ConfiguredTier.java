/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.kafka.ConfigHooks;
import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.core.kafka.PatchConfig;
import io.evenkeel.core.kafka.PatchKeys;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;

/** The config of the tier for Kafka's own tests: that of the agent's {@code config=<file>}, for all. Thread safe. */
public final class ConfiguredTier implements PatchConfig {
    /** Called before anything else. */
    public ConfiguredTier() {
        Map<String, String> ours = new HashMap<>();
        ConfigHooks.values(new AbstractConfig(new ConfigDef(), Map.of(), false)).forEach((key, value) -> {
            if (key.startsWith(keys().prefix())) {
                ours.put(key, value.toString());
            }
        });
        if (!ours.isEmpty()) {
            TieredSsdHooks.overrides(ours);
        }
    }

    @Override
    public PatchKeys keys() {
        return TieredSsdConfig.keys();
    }

    @Override
    public String announcement(Map<String, ?> brokerConfig) {
        return TieredSsdConfig.announcement(brokerConfig);
    }

    @Override
    public void start(Map<String, ?> brokerConfig, LogDirFailureChannel failures) throws IOException {
        TieredSsdHooks.start(brokerConfig, failures);
    }

    /** Null: the settings are the run's. */
    @Override
    public @Nullable LiveSettings<?> settings() {
        return null;
    }
}
