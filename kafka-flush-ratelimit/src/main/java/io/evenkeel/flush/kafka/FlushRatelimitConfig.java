/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.FlushRates.DEVICE_BYTES_PER_SECOND;
import static io.evenkeel.flush.FlushRates.SEGMENT_BYTES_PER_SECOND;
import static io.evenkeel.flush.FlushSettings.ENABLE;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_BYTES;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_MS;

import io.evenkeel.core.kafka.PatchKeys;
import io.evenkeel.core.kafka.PatchValues;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/** Reads the keys of flushing by rate in {@code server.properties}. Stateless. */
public final class FlushRatelimitConfig {
    /** Kafka's own key, which flushing by rate replaces. */
    static final String INTERVAL_MESSAGES = "log.flush.interval.messages";

    private static final PatchKeys KEYS = new PatchKeys(
            "flush.ratelimit.",
            List.of(ENABLE, MAX_UNFLUSHED_BYTES, MAX_UNFLUSHED_MS, SEGMENT_BYTES_PER_SECOND, DEVICE_BYTES_PER_SECOND));

    /**
     * Whether flushing by rate is on in a broker.
     *
     * @param why as the end of a sentence that begins with whether it is
     */
    record Choice(boolean isOn, String why) {}

    private FlushRatelimitConfig() {}

    /** All keys of the patch. */
    public static PatchKeys keys() {
        return KEYS;
    }

    /**
     * Reads the patch's keys out of a broker's.
     *
     * @throws ConfigException when a key is unknown or a value impossible
     */
    static FlushSettings settings(Map<String, ?> brokerConfig) {
        PatchValues values = KEYS.values(brokerConfig);
        return values.settings(() -> new FlushSettings(
                values.get(MAX_UNFLUSHED_BYTES),
                values.get(MAX_UNFLUSHED_MS),
                new FlushRates(values.get(SEGMENT_BYTES_PER_SECOND), values.get(DEVICE_BYTES_PER_SECOND))));
    }

    /**
     * Whether it is on.
     *
     * @throws ConfigException when other keys of the patch are set but nothing switches it on or off
     */
    static Choice choice(Map<String, ?> brokerConfig) {
        PatchValues values = KEYS.values(brokerConfig);
        Boolean enable = values.find(ENABLE);
        if (enable != null) {
            return new Choice(enable, ENABLE + "=" + enable + " is set");
        }
        Object messages = brokerConfig.get(INTERVAL_MESSAGES);
        if (messages == null) {
            Set<String> others = values.given();
            if (!others.isEmpty()) {
                throw new ConfigException("Keys of flushing by rate are set (" + others + ") but neither " + ENABLE
                        + " nor " + INTERVAL_MESSAGES + " is, so it would be off; set " + ENABLE
                        + "=true, or remove the others.");
            }
            return new Choice(false, INTERVAL_MESSAGES + " is not set, so there is nothing to replace");
        }
        boolean counts = Long.parseLong(messages.toString().trim()) > 1;
        return new Choice(counts, INTERVAL_MESSAGES + "=" + messages + " is set");
    }
}
