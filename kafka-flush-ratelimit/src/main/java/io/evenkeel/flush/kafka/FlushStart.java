/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.core.kafka.SharedCeilings;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.disk.KernelWriteback;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches flushing by rate on when a broker starts, or says why not. Stateless. */
final class FlushStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");
    private static final int DEFAULT_IO_THREADS = 8;

    private FlushStart() {}

    /**
     * Answers null when it is off.
     *
     * @param values the broker's own config with the overrides
     * @throws ConfigException when a {@code flush.ratelimit.*} key is unknown or impossible
     */
    static @Nullable RunningFlush run(Map<String, ?> values) {
        FlushSettings settings = FlushRatelimitConfig.settings(values);
        FlushRatelimitConfig.Choice choice = FlushRatelimitConfig.choice(values);
        if (!choice.isOn()) {
            LOG.info("Flushing by rate is off: {}.", choice.why());
            return null;
        }
        KernelWriteback kernel = KernelWriteback.ofLinux();
        PacedLogs logs = new PacedLogs(
                settings,
                number(values, "num.io.threads", DEFAULT_IO_THREADS),
                SharedCeilings.ofBroker(),
                kernel.interferes(settings));
        FlushMetrics.register(logs::snapshot);
        LOG.info(
                "Flushing by rate is on: {}. Message-count flush intervals above 1 are now ignored, in the broker's"
                        + " config and in topics' configs. {}",
                choice.why(),
                FlushRatelimitConfig.keys().values(values));
        String warning = kernel.warning(settings);
        if (warning != null) {
            LOG.warn(warning);
        }
        return new RunningFlush(logs, new BackPressure(), live(settings, values, logs));
    }

    private static LiveSettings<FlushRates> live(FlushSettings settings, Map<String, ?> values, PacedLogs logs) {
        return new LiveSettings<>(
                new LiveSettings.Subject<>(
                        "flushing by rate",
                        LOG,
                        FlushRatelimitConfig.keys(),
                        all -> FlushRatelimitConfig.settings(all).rates(),
                        logs::rates),
                settings.rates(),
                values,
                String.valueOf(number(values, "node.id", number(values, "broker.id", -1))));
    }

    private static int number(Map<String, ?> values, String key, int fallback) {
        Object value = values.get(key);
        return value == null ? fallback : Integer.parseInt(value.toString().trim());
    }
}
