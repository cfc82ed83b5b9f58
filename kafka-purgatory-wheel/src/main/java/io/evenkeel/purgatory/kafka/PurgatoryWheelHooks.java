/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import java.util.Map;

/**
 * The static door between the agent, which knows the keys, and the replaced classes, which make timers. Thread safe.
 */
public final class PurgatoryWheelHooks {
    private static volatile PurgatoryWheelConfig config = PurgatoryWheelConfig.parse(Map.of());

    private PurgatoryWheelHooks() {}

    /**
     * Called before the JVM loads any Kafka class that the agent changes.
     *
     * @param keys all our keys of the broker's config
     * @return whether Kafka's classes are to be replaced
     * @throws IllegalArgumentException when a key is unknown, or a value impossible
     */
    public static boolean configure(Map<String, String> keys) {
        PurgatoryWheelConfig parsed = PurgatoryWheelConfig.parse(keys);
        config = parsed;
        return parsed.enabled();
    }

    /** The config of each new timer. */
    public static PurgatoryWheelConfig config() {
        return config;
    }

    /**
     * Registers the gauges of a new timer.
     *
     * @param timerName the name that Kafka gives to the timer's executor
     * @return to be run when the timer is closed
     */
    public static Runnable show(String timerName, ClockedTimer<?> timer) {
        return WheelMetrics.show(timerName, timer);
    }
}
