/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The door for Kafka's own tests; counts the actions of all timers in the JVM. Thread safe. */
public final class PurgatoryWheelHooks {
    private static volatile PurgatoryWheelConfig config = PurgatoryWheelConfig.parse(Map.of());
    private static final Set<ClockedTimer<?>> OPEN = new HashSet<>();
    private static final Map<String, Long> DONE_BY_CLOSED = new TreeMap<>();

    private PurgatoryWheelHooks() {}

    public static boolean configure(Map<String, String> keys) {
        PurgatoryWheelConfig parsed = PurgatoryWheelConfig.parse(keys);
        config = parsed;
        return parsed.enabled();
    }

    public static PurgatoryWheelConfig config() {
        return config;
    }

    public static Runnable show(String timerName, ClockedTimer<?> timer) {
        Runnable hide = WheelMetrics.show(timerName, timer);
        synchronized (OPEN) {
            OPEN.add(timer);
        }
        return () -> {
            hide.run();
            close(timer);
        };
    }

    private static void close(ClockedTimer<?> timer) {
        synchronized (OPEN) {
            if (OPEN.remove(timer)) {
                addTo(DONE_BY_CLOSED, timer);
            }
        }
    }

    /** Counts of the actions of all timers, for the report. */
    public static Map<String, Long> done() {
        synchronized (OPEN) {
            Map<String, Long> done = new TreeMap<>(DONE_BY_CLOSED);
            OPEN.forEach(timer -> addTo(done, timer));
            return done;
        }
    }

    private static void addTo(Map<String, Long> done, ClockedTimer<?> timer) {
        done.merge("timers", 1L, Long::sum);
        done.merge("timeouts added", timer.adds(), Long::sum);
        done.merge("timeouts cancelled", timer.cancels(), Long::sum);
        done.merge("timeouts expired", timer.expiries(), Long::sum);
    }
}
