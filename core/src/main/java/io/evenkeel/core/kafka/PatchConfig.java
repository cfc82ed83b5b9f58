/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;

/**
 * What a patch has to do with config; {@link ConfigHooks} calls it. Thread safe.
 *
 * <p>An implementation has a public constructor without parameters, which starts nothing and logs nothing: the agent
 * calls it before the broker's main class runs.
 */
public interface PatchConfig {
    /** The patch's keys. */
    PatchKeys keys();

    /**
     * What {@link #start} would log about the config: whether the patch is on, why, and with which keys. Changes
     * nothing.
     *
     * @throws ConfigException when a key of the patch is unknown or impossible
     */
    String announcement(Map<String, ?> brokerConfig);

    /**
     * Switches the patch on or leaves it off, before any log is loaded.
     *
     * @param brokerConfig the broker's own config with the overrides of the agent's {@code config=<file>}
     * @param failures where Kafka waits for log directories that have failed
     * @throws ConfigException when a key of the patch is unknown or impossible
     * @throws IOException when the patch cannot work with what is on the disks
     */
    void start(Map<String, ?> brokerConfig, LogDirFailureChannel failures) throws IOException;

    /** The settings that can be changed while the broker runs; null while the patch is off. */
    @Nullable
    LiveSettings<?> settings();

    /** Called after the cluster's metadata has been taken over, the first time before any log is loaded. */
    default void updated() {}
}
