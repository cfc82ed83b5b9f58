/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

/**
 * The settings of flushing by rate, validated together. Immutable.
 *
 * @param maxUnflushedBytes the most unflushed bytes of one log
 * @param maxUnflushedMs the longest time between the first and the last unflushed byte of one log
 * @param rates the part that an operator can change while the broker runs
 */
public record FlushSettings(long maxUnflushedBytes, long maxUnflushedMs, FlushRates rates) {
    public static final String ENABLE = "flush.ratelimit.enable";
    public static final String MAX_UNFLUSHED_BYTES = "flush.ratelimit.max.unflushed.bytes";
    public static final String MAX_UNFLUSHED_MS = "flush.ratelimit.max.unflushed.ms";

    /** With less, each request would wait for the disk, as with {@code flush.messages=1}. */
    private static final long LEAST_BYTES = 64 << 10;

    private static final long LEAST_MS = 10;
    private static final long MOST_MS = 86_400_000;

    /** @throws IllegalArgumentException with the key and the value, when a value is out of range */
    public FlushSettings {
        require(
                maxUnflushedBytes >= LEAST_BYTES,
                MAX_UNFLUSHED_BYTES,
                maxUnflushedBytes,
                "must be at least " + LEAST_BYTES);
        require(
                maxUnflushedMs >= LEAST_MS && maxUnflushedMs <= MOST_MS,
                MAX_UNFLUSHED_MS,
                maxUnflushedMs,
                "must be from " + LEAST_MS + " to " + MOST_MS);
    }

    static void require(boolean condition, String key, Object value, String what) {
        if (!condition) {
            throw new IllegalArgumentException(key + "=" + value + ": " + what);
        }
    }
}
