/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.core.kafka.PatchConfig;
import io.evenkeel.core.kafka.PatchKeys;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;

/** The SSD tier as its config switches it on and changes it. Thread safe. */
public final class ConfiguredTier implements PatchConfig {
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

    @Override
    public @Nullable LiveSettings<?> settings() {
        RunningTier on = TieredSsdHooks.running();
        return on == null ? null : on.settings();
    }

    @Override
    public void updated() {
        RunningTier on = TieredSsdHooks.running();
        if (on != null) {
            on.work();
        }
    }
}
