/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.flush.kafka;

import io.kafkapatches.core.kafka.LiveSettings;
import io.kafkapatches.core.kafka.SharedCeilings;
import io.kafkapatches.flush.FlushRates;
import io.kafkapatches.flush.FlushSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches flushing by rate on when a broker starts, or says why not. Stateless. */
final class FlushStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.kafkapatches.flush");
    private static final Path DIRTY_EXPIRE = Path.of("/proc/sys/vm/dirty_expire_centisecs");
    private static final int MS_PER_CENTISECOND = 10;
    /** How many times the bound the kernel's expiry is to be. */
    private static final int FAR = 10;

    private static final int DEFAULT_IO_THREADS = 8;

    private FlushStart() {}

    /**
     * Answers null when it is off.
     *
     * @param overrides add to the broker's own config, or override it
     * @throws ConfigException when a {@code flush.ratelimit.*} key is unknown or impossible
     */
    static @Nullable RunningFlush run(Map<String, ?> brokerConfig, Map<String, String> overrides) {
        Map<String, Object> values = new HashMap<>(brokerConfig);
        values.putAll(overrides);
        FlushSettings settings = FlushRatelimitConfig.settings(values);
        FlushRatelimitConfig.Choice choice = FlushRatelimitConfig.choice(values);
        if (!choice.isOn()) {
            LOG.info("Flushing by rate is off: {}.", choice.why());
            return null;
        }
        PacedLogs logs = new PacedLogs(
                settings, number(values, "num.io.threads", DEFAULT_IO_THREADS), SharedCeilings.ofBroker());
        FlushMetrics.register(logs::snapshot);
        LOG.info(
                "Flushing by rate is on: {}. A number of messages above 1 forces nothing any more, in the broker's config as in "
                        + "topics'; {}",
                choice.why(),
                settings);
        String warning = kernelWarning(settings, dirtyExpireMs(DIRTY_EXPIRE));
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
                        FlushRatelimitConfig::values,
                        logs::rates),
                settings.rates(),
                values,
                String.valueOf(number(values, "node.id", number(values, "broker.id", -1))));
    }

    /**
     * Null when the kernel leaves it to the pacer when to write, or does not tell. A log that is always written to is never all
     * clean, so the kernel's clock for it goes on, however soon each byte is forced: how often it writes all at once is what counts.
     */
    static @Nullable String kernelWarning(FlushSettings settings, OptionalLong expireMs) {
        if (expireMs.isEmpty() || expireMs.getAsLong() / FAR >= settings.maxUnflushedMs()) {
            return null;
        }
        return "The kernel writes by itself what has been dirty for " + expireMs.getAsLong()
                + " ms (vm.dirty_expire_centisecs), all of it at once, each time that this is over; flushing by rate is to be smoother "
                + "than that. Set it to at least " + FAR + " times " + FlushSettings.MAX_UNFLUSHED_MS + "="
                + settings.maxUnflushedMs() + ", best to an hour: sysctl -w vm.dirty_expire_centisecs=360000";
    }

    /** Empty where the kernel does not tell. */
    static OptionalLong dirtyExpireMs(Path file) {
        try {
            // not readString, which begins with a single byte: the kernel answers the first read alone
            String centiseconds = String.join("", Files.readAllLines(file)).trim();
            return OptionalLong.of(Long.parseLong(centiseconds) * MS_PER_CENTISECOND);
        } catch (IOException | NumberFormatException notLinux) {
            return OptionalLong.empty();
        }
    }

    private static int number(Map<String, ?> values, String key, int fallback) {
        Object value = values.get(key);
        return value == null ? fallback : Integer.parseInt(value.toString().trim());
    }
}
