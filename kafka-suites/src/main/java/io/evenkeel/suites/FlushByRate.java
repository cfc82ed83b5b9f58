/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import com.yammer.metrics.core.Gauge;
import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import io.evenkeel.flush.kafka.ConfiguredFlush;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;

/**
 * Flushing by rate through the shipped door, for tests that open logs without a broker. Used by the thread that runs
 * the tests.
 *
 * <p>A broker that starts in the same JVM would restart the patch, and open logs would no longer be paced. So do not
 * use this for lists whose tests start brokers.
 */
final class FlushByRate {
    static final String FLUSHES = "flushes by rate";

    /** Bounds so low that a log is flushed while its test still runs. */
    private static final Map<String, String> ON = Map.of(
            "flush.ratelimit.enable", "true",
            "flush.ratelimit.max.unflushed.bytes", "65536",
            "flush.ratelimit.max.unflushed.ms", "10",
            "flush.ratelimit.segment.bytes.per.second", "1099511627776");

    private static final Map<String, String> OFF = Map.of("flush.ratelimit.enable", "false");
    private static final Map<String, String> TOLD = Map.of(
            "Flushes", FLUSHES,
            "FlushedBytes", "bytes flushed by rate",
            "AppendWaits", "appends that waited for a flush");

    /** By name, of each time that it was on; held here, as tests clear the registry. */
    private final List<Map<String, Gauge<?>>> gauges = new ArrayList<>();

    private boolean on;

    /** The keys as a file for the agent. */
    static String keys() {
        return ON.entrySet().stream()
                .map(key -> key.getKey() + "=" + key.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Whether logs that are opened from now on are flushed by rate. */
    void works(boolean works) {
        if (works != on) {
            on = works;
            start(works ? ON : OFF);
        }
    }

    private void start(Map<String, String> keys) {
        MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();
        ours(registry).keySet().forEach(registry::removeMetric);
        new ConfiguredFlush().start(keys, new LogDirFailureChannel(1));
        Map<String, Gauge<?>> byName = new TreeMap<>();
        ours(registry).forEach((name, gauge) -> byName.put(name.getName(), gauge));
        gauges.add(byName);
    }

    private static Map<MetricName, Gauge<?>> ours(MetricsRegistry registry) {
        return registry.allMetrics().entrySet().stream()
                .filter(metric -> metric.getKey().getType().equals("FlushRatelimit"))
                .collect(Collectors.toMap(Map.Entry::getKey, metric -> (Gauge<?>) metric.getValue()));
    }

    Map<String, Long> done() {
        Map<String, Long> done = new TreeMap<>();
        for (Map<String, Gauge<?>> byName : gauges) {
            byName.forEach((name, gauge) -> {
                String what = TOLD.get(name);
                if (what != null) {
                    done.merge(what, ((Number) gauge.value()).longValue(), Long::sum);
                }
            });
        }
        return done;
    }
}
