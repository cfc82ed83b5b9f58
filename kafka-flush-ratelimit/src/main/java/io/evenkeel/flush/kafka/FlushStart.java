/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.core.kafka.SharedCeilings;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.KernelWriteback;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts flushing by rate together when a broker starts, and says whether it is on, and why. Stateless. */
final class FlushStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");
    private static final int DEFAULT_IO_THREADS = 8;

    private FlushStart() {}

    /**
     * Also where it is off: an operator may switch it on while the broker runs.
     *
     * @param values the broker's own config with the overrides
     * @throws ConfigException when a {@code flush.ratelimit.*} key is unknown or impossible
     */
    static RunningFlush run(Map<String, ?> values) {
        FlushChoice choice = FlushRatelimitConfig.atStart(values);
        KernelWriteback kernel = KernelWriteback.ofLinux();
        FlushCounts counts = new FlushCounts();
        PacedLogs logs = new PacedLogs(choice, counts, SharedCeilings.ofBroker(), kernel);
        FlushMetrics.register(logs::snapshot);
        report(choice, kernel);
        return new RunningFlush(
                logs,
                new AppendWaits(number(values, "num.io.threads", DEFAULT_IO_THREADS), counts),
                live(choice, values, logs, kernel));
    }

    private static void report(FlushChoice choice, KernelWriteback kernel) {
        LOG.info(choice.announcement());
        String warning = choice.flushes() ? kernel.warning(choice.settings()) : null;
        if (warning != null) {
            LOG.warn(warning);
        }
    }

    private static LiveSettings<FlushChoice> live(
            FlushChoice atStart, Map<String, ?> values, PacedLogs logs, KernelWriteback kernel) {
        Object messages = values.get(FlushRatelimitConfig.INTERVAL_MESSAGES);
        return new LiveSettings<>(
                new LiveSettings.Subject<>(
                        "flushing by rate",
                        LOG,
                        FlushRatelimitConfig.keys(),
                        ours -> FlushRatelimitConfig.later(ours, messages),
                        changed -> change(changed, logs, kernel)),
                atStart,
                values,
                String.valueOf(number(values, "node.id", number(values, "broker.id", -1))));
    }

    private static void change(FlushChoice changed, PacedLogs logs, KernelWriteback kernel) {
        if (!changed.hasModeOf(logs.choice())) {
            report(changed, kernel);
        }
        logs.change(changed);
    }

    private static int number(Map<String, ?> values, String key, int fallback) {
        Object value = values.get(key);
        return value == null ? fallback : Integer.parseInt(value.toString().trim());
    }
}
