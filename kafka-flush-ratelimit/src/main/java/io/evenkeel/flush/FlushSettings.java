/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.core.ConfigKey.Importance.HIGH;

import io.evenkeel.core.ConfigKey;

/**
 * All settings of flushing by rate, checked as a whole, and the keys of those that need a restart. Immutable.
 *
 * @param maxUnflushedBytes how many bytes of one log may be unflushed
 * @param maxUnflushedMs how much time may lie between the first and the last unflushed append to one log
 * @param rates the settings that can be changed while the broker runs
 */
public record FlushSettings(long maxUnflushedBytes, long maxUnflushedMs, FlushRates rates) {
    /** Below this, each request would wait for the disk, as with {@code flush.messages=1}. */
    private static final long LEAST_BYTES = 64 << 10;

    private static final long LEAST_MS = 10;
    private static final long MOST_MS = 86_400_000;

    public static final ConfigKey<Boolean> ENABLE = ConfigKey.ofBoolean(
            "flush.ratelimit.enable",
            HIGH,
            "Whether the broker flushes data by rate instead of by the number of messages. When it is not set, it is on"
                    + " where server.properties sets log.flush.interval.messages above 1, and off elsewhere: a broker"
                    + " that leaves writeback to the kernel keeps doing so. Where it is on, log.flush.interval.messages"
                    + " and flush.messages above 1 are ignored; 1 keeps its meaning, for the broker and for a topic.");

    public static final ConfigKey<Long> MAX_UNFLUSHED_BYTES = ConfigKey.ofLong(
                    "flush.ratelimit.max.unflushed.bytes",
                    HIGH,
                    64L << 20,
                    "How many bytes of one partition may be acknowledged by this broker and not flushed to disk yet. A"
                            + " partition is due at half this limit. At the limit, appends to it wait. A higher limit"
                            + " means fewer and larger flushes, and more data to lose when all replicas lose power at"
                            + " once. One batch that is larger than the limit is appended when the log has no unflushed"
                            + " bytes.")
            .where(bytes -> bytes >= LEAST_BYTES, "must be at least " + LEAST_BYTES);

    public static final ConfigKey<Long> MAX_UNFLUSHED_MS = ConfigKey.ofLong(
                    "flush.ratelimit.max.unflushed.ms",
                    HIGH,
                    30_000,
                    "How much time may lie between the first and the last acknowledged append to one partition that are"
                            + " not flushed to disk yet. A partition is due at half this limit. At the limit, appends"
                            + " to it wait. A higher limit spreads bursts further, and more data is lost in a power"
                            + " cut.")
            .where(ms -> ms >= LEAST_MS && ms <= MOST_MS, "must be from " + LEAST_MS + " to " + MOST_MS);

    /** @throws IllegalArgumentException that names the key and the value, when a value is impossible */
    public FlushSettings {
        MAX_UNFLUSHED_BYTES.check(maxUnflushedBytes);
        MAX_UNFLUSHED_MS.check(maxUnflushedMs);
    }
}
