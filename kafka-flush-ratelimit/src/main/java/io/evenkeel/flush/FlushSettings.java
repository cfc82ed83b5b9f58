/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

/**
 * What an operator can set, checked as a whole. Immutable.
 *
 * @param maxUnflushedBytes how much one log may have that is not flushed yet
 * @param maxUnflushedMs how much time may lie between the first and the last byte of it
 * @param rates what can be changed while the broker runs
 */
public record FlushSettings(long maxUnflushedBytes, long maxUnflushedMs, FlushRates rates) {
    public static final String ENABLE = "flush.ratelimit.enable";
    public static final String MAX_UNFLUSHED_BYTES = "flush.ratelimit.max.unflushed.bytes";
    public static final String MAX_UNFLUSHED_MS = "flush.ratelimit.max.unflushed.ms";

    /** Below this, each request would wait for the disk: that is {@code flush.messages=1}. */
    private static final long LEAST_BYTES = 64 << 10;

    private static final long LEAST_MS = 10;
    private static final long MOST_MS = 86_400_000;

    /** @throws IllegalArgumentException that names the key and the value, when a value is impossible */
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
