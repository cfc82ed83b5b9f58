/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import java.util.Map;

/**
 * The static door between the agent, which knows the keys, and the classes that the broker makes timers of. Thread
 * safe.
 */
public final class PurgatoryWheelHooks {
    private static volatile PurgatoryWheelConfig config = PurgatoryWheelConfig.parse(Map.of());

    private PurgatoryWheelHooks() {}

    /**
     * Called before any class of Kafka's loads that the agent changes.
     *
     * @param keys all of ours that the broker starts with
     * @return whether Kafka's classes are to be replaced
     * @throws IllegalArgumentException when a key is unknown, or a value impossible
     */
    public static boolean configure(Map<String, String> keys) {
        PurgatoryWheelConfig parsed = PurgatoryWheelConfig.parse(keys);
        config = parsed;
        return parsed.enabled();
    }

    /** What a timer is made by. */
    public static PurgatoryWheelConfig config() {
        return config;
    }

    /**
     * Called by each timer that is made.
     *
     * @param timerName as Kafka names the timer's executor
     * @return to be run as the timer is closed
     */
    public static Runnable show(String timerName, ClockedTimer<?> timer) {
        return WheelMetrics.show(timerName, timer);
    }
}
