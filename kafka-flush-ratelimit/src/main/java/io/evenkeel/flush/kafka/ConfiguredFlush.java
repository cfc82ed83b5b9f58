/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.core.kafka.PatchConfig;
import io.evenkeel.core.kafka.PatchKeys;
import java.util.Map;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;

/** Flushing by rate as its config switches it on and changes it. Thread safe. */
public final class ConfiguredFlush implements PatchConfig {
    @Override
    public PatchKeys keys() {
        return FlushRatelimitConfig.keys();
    }

    @Override
    public String announcement(Map<String, ?> brokerConfig) {
        return FlushRatelimitConfig.atStart(brokerConfig).announcement();
    }

    @Override
    public void start(Map<String, ?> brokerConfig, LogDirFailureChannel failures) {
        FlushRatelimitHooks.start(brokerConfig);
    }

    @Override
    public @Nullable LiveSettings<?> settings() {
        RunningFlush on = FlushRatelimitHooks.running();
        return on == null ? null : on.settings();
    }
}
