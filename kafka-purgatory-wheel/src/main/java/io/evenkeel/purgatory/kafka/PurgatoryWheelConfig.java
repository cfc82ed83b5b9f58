/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import io.evenkeel.core.NearestKey;
import java.util.List;
import java.util.Map;

/**
 * The wheel's keys in {@code server.properties}. Immutable.
 *
 * <p>The agent reads them before any class that it changes loads, so this class uses no class of Kafka's.
 *
 * @param enabled whether Kafka's classes are replaced
 * @param tickMs the resolution of a timer
 * @param size ticks a turn of a timer's first wheel
 */
public record PurgatoryWheelConfig(boolean enabled, int tickMs, int size) {
    /** All keys of the wheel begin with it; another key that begins with it is a typo. */
    public static final String PREFIX = "purgatory.wheel.";

    private static final int MAX_TICK_MS = 1000;
    private static final int MAX_SIZE = 4096;

    /** One key and its text for operators. */
    public record Key(String name, String type, String defaultValue, String doc) {}

    private static final Key ENABLE = new Key(
            PREFIX + "enable",
            "boolean",
            "true",
            "Whether delayed requests wait in our purgatory. With 'false' the agent replaces no class of Kafka's, and"
                    + " stock's purgatory runs.");

    private static final Key TICK_MS = new Key(
            PREFIX + "tick.ms",
            "int",
            "1",
            "The resolution of timeouts in milliseconds, 1 to 1000. A request times out at most this much later than it"
                    + " asked for, and never earlier. A larger tick means fewer wake-ups when many requests time out."
                    + " The default is the same as stock's, and good.");

    private static final Key SIZE = new Key(
            PREFIX + "size",
            "int",
            "512",
            "How many ticks the first wheel of a timer has: a power of two, 2 to 4096. A timeout that is longer than"
                    + " one turn moves from wheel to wheel as it comes nearer. A larger size means fewer moves, and"
                    + " takes 8 bytes for each tick of each timer. With the default, fetches that wait 500 ms need no"
                    + " move.");

    /** All of them, in the order of the documentation. */
    public static List<Key> keys() {
        return List.of(ENABLE, TICK_MS, SIZE);
    }

    /**
     * Reads the keys.
     *
     * @param keys those that begin with {@link #PREFIX}
     * @throws IllegalArgumentException when a key is unknown, or a value impossible
     */
    public static PurgatoryWheelConfig parse(Map<String, String> keys) {
        List<String> known = keys().stream().map(Key::name).toList();
        keys.forEach((key, value) -> require(
                known.contains(key),
                "Unknown key " + key + "=" + value + "; did you mean " + NearestKey.of(key, known) + "?"));
        int size = number(keys, SIZE, 2, MAX_SIZE);
        require(Integer.bitCount(size) == 1, SIZE.name + "=" + size + " must be a power of two, 2 to 4096.");
        return new PurgatoryWheelConfig(isTrue(keys, ENABLE), number(keys, TICK_MS, 1, MAX_TICK_MS), size);
    }

    /** The nearest possible config to a tick and a size that Kafka's code asks for. */
    public static PurgatoryWheelConfig near(long tickMs, int size) {
        int atLeast = Math.max(2, Math.min(size, MAX_SIZE));
        return new PurgatoryWheelConfig(
                true, (int) Math.max(1, Math.min(tickMs, MAX_TICK_MS)), Integer.highestOneBit(2 * atLeast - 1));
    }

    private static boolean isTrue(Map<String, String> keys, Key key) {
        String value = value(keys, key);
        require(value.equals("true") || value.equals("false"), key.name + "=" + value + " must be true or false.");
        return value.equals("true");
    }

    private static int number(Map<String, String> keys, Key key, int least, int most) {
        String value = value(keys, key);
        String message = key.name + "=" + value + " must be a whole number, " + least + " to " + most + ".";
        try {
            int number = Integer.parseInt(value);
            require(number >= least && number <= most, message);
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(message, e);
        }
    }

    private static String value(Map<String, String> keys, Key key) {
        return keys.getOrDefault(key.name, key.defaultValue).trim();
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
