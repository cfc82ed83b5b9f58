/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.FlushSettings.DEVICE_BYTES_PER_SECOND;
import static io.evenkeel.flush.FlushSettings.ENABLE;
import static io.evenkeel.flush.FlushSettings.MAX_APPEND_WAIT_MS;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_BYTES;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_MS;
import static io.evenkeel.flush.FlushSettings.SEGMENT_BYTES_PER_SECOND;
import static io.evenkeel.flush.FlushSettings.SHADOW;
import static io.evenkeel.flush.FlushSettings.SYNCFS;

import io.evenkeel.core.kafka.PatchKeys;
import io.evenkeel.core.kafka.PatchValues;
import io.evenkeel.flush.FlushSettings;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Reads the keys of flushing by rate in a broker's config. Stateless. */
public final class FlushRatelimitConfig {
    /** Kafka's own key, which flushing by rate replaces. */
    static final String INTERVAL_MESSAGES = "log.flush.interval.messages";

    /** A smaller count is a promise about durability. A larger one was set to spread the load of flushes. */
    private static final long LEAST_PACED_MESSAGES = 1_000;

    private static final PatchKeys KEYS = new PatchKeys("flush.ratelimit.", FlushSettings.KEYS);

    private FlushRatelimitConfig() {}

    /** All keys of the patch. */
    public static PatchKeys keys() {
        return KEYS;
    }

    /** Whether flushing by rate takes the place of a flush after so many messages. */
    static boolean replaces(long intervalMessages) {
        return intervalMessages >= LEAST_PACED_MESSAGES;
    }

    /**
     * Reads the patch's keys and Kafka's own interval.
     *
     * @throws ConfigException when a key is unknown or a value impossible, or when keys of the patch are set but
     *     nothing switches it on or off
     */
    static FlushChoice atStart(Map<String, ?> brokerConfig) {
        Object messages = brokerConfig.get(INTERVAL_MESSAGES);
        PatchValues values = KEYS.values(brokerConfig);
        FlushChoice choice = choice(values, messages);
        Set<String> given = values.given();
        if (messages == null && !given.isEmpty() && values.find(ENABLE) == null && !choice.isOn()) {
            throw new ConfigException(
                    "Keys of flushing by rate are set (" + String.join(", ", given) + ") but neither " + ENABLE
                            + " nor " + INTERVAL_MESSAGES + " is, so it would be off; set " + ENABLE
                            + "=true, or remove the others.");
        }
        return choice;
    }

    /**
     * The same while the broker runs.
     *
     * @param messages Kafka's own interval at the start, or null
     */
    static FlushChoice later(Map<String, ?> ours, @Nullable Object messages) {
        return choice(KEYS.values(ours), messages);
    }

    private static FlushChoice choice(PatchValues values, @Nullable Object messages) {
        FlushSettings settings = values.settings(() -> new FlushSettings(
                values.get(MAX_UNFLUSHED_BYTES),
                values.get(MAX_UNFLUSHED_MS),
                values.get(SEGMENT_BYTES_PER_SECOND),
                values.get(DEVICE_BYTES_PER_SECOND),
                values.get(MAX_APPEND_WAIT_MS),
                values.get(SYNCFS),
                values.get(SHADOW)));
        Boolean enable = values.find(ENABLE);
        boolean isOn;
        String why;
        if (settings.isShadow()) {
            isOn = true;
            why = SHADOW + "=true is set";
        } else if (enable != null) {
            isOn = enable;
            why = ENABLE + "=" + enable + " is set";
        } else if (messages == null) {
            isOn = false;
            why = INTERVAL_MESSAGES + " is not set, so there is nothing to replace";
        } else {
            long count = Long.parseLong(messages.toString().trim());
            isOn = replaces(count) && count < Long.MAX_VALUE;
            why = INTERVAL_MESSAGES + "=" + messages + " is set";
        }
        return new FlushChoice(isOn, why, settings, values.toString());
    }
}
