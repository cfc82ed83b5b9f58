/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.core.kafka.ConfigHooks;
import io.evenkeel.core.kafka.PatchConfig;
import java.util.Collection;
import java.util.Map;

/**
 * Registers the config of the patches that are woven in at its door, which starts no slf4j: that is the broker's to
 * start. Stateless.
 *
 * <p>A class of its own, because the JVM loads {@link PatchConfig} to verify it, and a tool shall load nothing of ours
 * but the agent.
 */
final class PatchConfigs {
    private PatchConfigs() {}

    static void register(Map<String, String> overrides, Collection<Weaver.Fit> fits) {
        ConfigHooks.overrides(overrides);
        for (Weaver.Fit fit : fits) {
            Class<? extends PatchConfig> config = fit.patch().config();
            if (config != null) {
                ConfigHooks.register(made(config));
            }
        }
    }

    private static PatchConfig made(Class<? extends PatchConfig> config) {
        try {
            return config.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + config.getName(), e);
        }
    }
}
