/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.core.ConfigKey.Importance.HIGH;
import static io.evenkeel.core.ConfigKey.Importance.LOW;
import static io.evenkeel.core.ConfigKey.Importance.MEDIUM;

import io.evenkeel.core.ConfigKey;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The settings of flushing by rate and their keys. All can be changed while the broker runs. Immutable.
 *
 * @param maxUnflushedBytes how many bytes of one log may be unflushed while the disk keeps up
 * @param maxUnflushedMs the same for the age of its oldest unflushed byte
 * @param segmentBytesPerSecond at which one log is flushed as long as its bounds allow
 * @param deviceBytesPerSecond that no disk exceeds, or {@link #UNLIMITED}
 * @param maxAppendWaitMs how long a client's request may wait for the disk, once for all its appends; 0 is never
 * @param syncfs whether the file system of a log directory is synced at calm moments
 * @param isShadow whether flushes are only planned: nothing is flushed, synced or made to wait
 */
public record FlushSettings(
        long maxUnflushedBytes,
        long maxUnflushedMs,
        long segmentBytesPerSecond,
        long deviceBytesPerSecond,
        long maxAppendWaitMs,
        boolean syncfs,
        boolean isShadow) {
    public static final long UNLIMITED = -1;

    /** Below this, a log would be flushed after each batch. */
    private static final long LEAST_BYTES = 64 << 10;

    private static final long LEAST_MS = 10;
    private static final long MOST_MS = 86_400_000;
    /** Far below the timeouts of clients. */
    private static final long MOST_WAIT_MS = 5_000;

    public static final ConfigKey<Boolean> ENABLE = ConfigKey.ofBoolean(
                    "flush.ratelimit.enable",
                    HIGH,
                    "Whether the broker flushes data by rate instead of by the number of messages. When it is not set,"
                            + " it is on where server.properties sets log.flush.interval.messages to 1,000 or more but"
                            + " not to 9223372036854775807, and off elsewhere: a broker that leaves writeback to the"
                            + " kernel keeps doing so. Where it is on, log.flush.interval.messages and flush.messages"
                            + " of 1,000 and more are ignored. Smaller counts are promises about durability and keep"
                            + " their meaning, for the broker and for a topic.")
            .dynamic();

    public static final ConfigKey<Long> MAX_UNFLUSHED_BYTES = ConfigKey.ofLong(
                    "flush.ratelimit.max.unflushed.bytes",
                    HIGH,
                    64L << 20,
                    "How many bytes of one partition may be acknowledged by this broker and not flushed to disk yet, as"
                            + " long as the disk keeps up. A partition is due at half this limit. Beyond it, appends go"
                            + " on, after flush.ratelimit.max.append.wait.ms at most; the broker counts and reports it."
                            + " A higher limit means fewer and larger flushes, and more data to lose when all replicas"
                            + " lose power at once.")
            .dynamic()
            .where(bytes -> bytes >= LEAST_BYTES, "must be at least " + LEAST_BYTES);

    public static final ConfigKey<Long> MAX_UNFLUSHED_MS = ConfigKey.ofLong(
                    "flush.ratelimit.max.unflushed.ms",
                    HIGH,
                    30_000,
                    "How old the oldest byte of one partition may get before it is flushed to disk, as long as the disk"
                            + " keeps up. A partition is due at half this limit. Where flushing so many partitions in"
                            + " time would cost more than a quarter of the disk's time, they are flushed later; the"
                            + " broker counts and reports it. A higher limit spreads bursts further, and more data is"
                            + " lost in a power cut.")
            .dynamic()
            .where(ms -> ms >= LEAST_MS && ms <= MOST_MS, "must be from " + LEAST_MS + " to " + MOST_MS);

    public static final ConfigKey<Long> SEGMENT_BYTES_PER_SECOND = ConfigKey.ofLong(
                    "flush.ratelimit.segment.bytes.per.second",
                    MEDIUM,
                    2L << 20,
                    "How fast one partition is flushed at the most, while neither limit is at risk. After a flush, the"
                            + " partition rests for as long as its bytes take at this rate. With a higher rate, a busy"
                            + " partition may be flushed more often. A partition that receives more than this for long"
                            + " is still flushed when it is due.")
            .dynamic()
            .where(rate -> rate > 0, "must be positive");

    public static final ConfigKey<Long> DEVICE_BYTES_PER_SECOND = ConfigKey.ofLong(
                    "flush.ratelimit.device.bytes.per.second",
                    LOW,
                    UNLIMITED,
                    "How fast all partitions on one disk together are flushed at the most; -1 means no ceiling. With"
                            + " the SSD tier, each SSD and each HDD has this ceiling, and copies to an HDD count"
                            + " against it. The ceiling wins over the limits: when more data comes in than the ceiling"
                            + " allows, more than the limits is unflushed.")
            .dynamic()
            .where(rate -> rate > 0 || rate == UNLIMITED, "must be positive, or -1 for no ceiling");

    public static final ConfigKey<Long> MAX_APPEND_WAIT_MS = ConfigKey.ofLong(
                    "flush.ratelimit.max.append.wait.ms",
                    MEDIUM,
                    100,
                    "How long a produce request may wait while one of its partitions has"
                            + " flush.ratelimit.max.unflushed.bytes unflushed: once for the whole request, before any"
                            + " lock. Then its records are appended, whatever the disk does. Only a quarter of the"
                            + " request handlers wait at a time; other requests go straight in, and so do coordinators"
                            + " and replicas, always. A higher value slows down producers more when a disk does not"
                            + " keep up; 0 means that no request ever waits.")
            .dynamic()
            .where(ms -> ms >= 0 && ms <= MOST_WAIT_MS, "must be from 0 to " + MOST_WAIT_MS);

    public static final ConfigKey<Boolean> SYNCFS = ConfigKey.ofBoolean(
                    "flush.ratelimit.syncfs.enable",
                    LOW,
                    true,
                    "Whether the broker syncs the file system of a log directory at calm moments, so that the kernel"
                            + " has little left to write in one burst. A sync writes what anybody has written to that"
                            + " file system, so the broker never syncs the root file system, nor one of which only a"
                            + " directory is mounted.")
            .dynamic();

    public static final ConfigKey<Boolean> SHADOW = ConfigKey.ofBoolean(
                    "flush.ratelimit.shadow.enable",
                    MEDIUM,
                    false,
                    "Whether the broker only plans the flushes by rate, to show what they would be. It flushes as stock"
                            + " Kafka does; the gauges show the plan. It wins over flush.ratelimit.enable. A planned"
                            + " flush takes no time, so a disk that does not keep up is not seen.")
            .dynamic();

    /** All keys, in the order of the documentation. */
    public static final List<ConfigKey<?>> KEYS = List.of(
            ENABLE,
            MAX_UNFLUSHED_BYTES,
            MAX_UNFLUSHED_MS,
            SEGMENT_BYTES_PER_SECOND,
            DEVICE_BYTES_PER_SECOND,
            MAX_APPEND_WAIT_MS,
            SYNCFS,
            SHADOW);

    /** @throws IllegalArgumentException that names the key and the value, when a value is impossible */
    public FlushSettings {
        MAX_UNFLUSHED_BYTES.check(maxUnflushedBytes);
        MAX_UNFLUSHED_MS.check(maxUnflushedMs);
        SEGMENT_BYTES_PER_SECOND.check(segmentBytesPerSecond);
        DEVICE_BYTES_PER_SECOND.check(deviceBytesPerSecond);
        MAX_APPEND_WAIT_MS.check(maxAppendWaitMs);
    }

    long maxUnflushedNanos() {
        return TimeUnit.MILLISECONDS.toNanos(maxUnflushedMs);
    }

    boolean hasCeiling() {
        return deviceBytesPerSecond != UNLIMITED;
    }

    /** The ceiling in bytes per second; infinite if there is none. */
    double ceiling() {
        return hasCeiling() ? deviceBytesPerSecond : Double.POSITIVE_INFINITY;
    }
}
