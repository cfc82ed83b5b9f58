/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import static io.evenkeel.core.ConfigKey.Importance.HIGH;
import static io.evenkeel.core.ConfigKey.Importance.LOW;
import static io.evenkeel.core.ConfigKey.Importance.MEDIUM;

import io.evenkeel.core.ConfigKey;
import io.evenkeel.core.DeviceCeilings;

/**
 * The settings that an operator can change while the broker runs, checked as a whole, and their keys. Immutable.
 *
 * @param mode whether segments are placed on, copied to and evicted from the SSDs
 * @param highWatermarkRatio of the capacity: above it the oldest segments leave the SSD
 * @param lowWatermarkRatio of the capacity: eviction stops here
 * @param copyBytesPerSecond how much may be copied to one HDD at the most, or {@link #FOLLOW_INFLOW}
 * @param copyMinBytesPerSecond how much is copied to one HDD even while other reads wait for that HDD
 * @param copyIntervalMs how often an idle copier or evictor looks for work
 * @param coldReadBytesPerSecond how much is read from the HDDs for consumers that lag, or {@link #UNLIMITED}
 * @param coldReadClientBytesPerSecond how much each client may get that lags, or {@link #UNLIMITED}
 * @param followerPlacement where new segments of followers go, unless their topic says otherwise
 * @param excludedTopics the segments of these topics are never placed on an SSD
 */
public record DynamicTierSettings(
        TierMode mode,
        double highWatermarkRatio,
        double lowWatermarkRatio,
        long copyBytesPerSecond,
        long copyMinBytesPerSecond,
        long copyIntervalMs,
        long coldReadBytesPerSecond,
        long coldReadClientBytesPerSecond,
        Device followerPlacement,
        TopicFilter excludedTopics) {

    /** As a rate: twice what comes in, but at least {@link #LEAST_CEILING}. */
    public static final long FOLLOW_INFLOW = -1;

    /** As a rate of cold reads. */
    public static final long UNLIMITED = -1;

    private static final long LEAST_CEILING = 50L << 20;

    private static final String RATIO = "must be above 0 and at most 1";
    private static final String POSITIVE = "must be positive";

    public static final ConfigKey<TierMode> MODE = ConfigKey.ofEnum(
                    "tiered.ssd.mode",
                    HIGH,
                    TierMode.ON,
                    "With 'on' the tier places new segments on the SSDs, copies and evicts. With 'paused' every segment"
                            + " stays where it is, and new ones go to the HDDs. With 'drain' the tier moves everything"
                            + " to the HDDs until no link is left and the SSD directories are empty; then the tier can"
                            + " be removed. With 'shadow', which needs a restart, the tier moves nothing and needs no"
                            + " SSD: gauges show what 'on' would do. Reads and writes go on in each mode.")
            .dynamic();

    public static final ConfigKey<Double> HIGH_WATERMARK_RATIO = ConfigKey.ofDouble(
                    "tiered.ssd.high.watermark.ratio",
                    MEDIUM,
                    0.90,
                    "Above this part of the capacity, the tier evicts the segments with the oldest data from the SSD,"
                            + " if they are complete on the HDD. A larger ratio uses more of the SSD but leaves less"
                            + " room for bursts.")
            .dynamic()
            .where(DynamicTierSettings::isRatio, RATIO);

    public static final ConfigKey<Double> LOW_WATERMARK_RATIO = ConfigKey.ofDouble(
                    "tiered.ssd.low.watermark.ratio",
                    MEDIUM,
                    0.80,
                    "Eviction stops at this part of the capacity. It must be below the high watermark. The nearer it is"
                            + " to the high watermark, the fewer segments are evicted at a time. The default is good.")
            .dynamic()
            .where(DynamicTierSettings::isRatio, RATIO);

    /** Also a topic's own config, which wins over the broker's. */
    public static final ConfigKey<Device> FOLLOWER_PLACEMENT = ConfigKey.ofEnum(
                    "tiered.ssd.follower.placement",
                    MEDIUM,
                    Device.SSD,
                    "Where this broker writes new segments of partitions that it follows: 'ssd' or 'hdd'. Leaders"
                            + " always write to the SSD. The topic config of the same name wins. 'hdd' saves SSD space"
                            + " and wear, but a follower that becomes leader has its newest data on the HDD until it"
                            + " has rolled a segment and consumers have caught up.")
            .dynamic();

    public static final ConfigKey<TopicFilter> EXCLUDED_TOPICS = ConfigKey.ofList(
                    "tiered.ssd.excluded.topics",
                    MEDIUM,
                    TopicFilter::new,
                    "Regular expressions, separated by commas, so none may contain one; in server.properties, write"
                            + " each backslash twice. New segments of a topic whose whole name matches one of them"
                            + " are not placed on the SSDs. Segments of the topic that are already on an SSD are"
                            + " copied and evicted as usual.")
            .dynamic();

    public static final ConfigKey<Long> COPY_BYTES_PER_SECOND = ConfigKey.ofLong(
                    "tiered.ssd.copy.bytes.per.second",
                    MEDIUM,
                    FOLLOW_INFLOW,
                    "How many bytes of segments a second are copied to one HDD at the most. Each is written once and"
                            + " read back once to verify it, so the HDD does twice as much. The default, -1, is twice"
                            + " the rate at which data has come in for this HDD in the last minute, and at least 50"
                            + " MiB/s. With a higher rate, the HDD catches up sooner, but reads from it take longer. It"
                            + " must exceed the rate of incoming data, or the SSDs fill up and new segments go to the"
                            + " HDDs.")
            .dynamic()
            .where(value -> value == FOLLOW_INFLOW || isPositive(value), "must be positive, or -1");

    public static final ConfigKey<Long> COPY_MIN_BYTES_PER_SECOND = ConfigKey.ofLong(
                    "tiered.ssd.copy.min.bytes.per.second",
                    LOW,
                    5L << 20,
                    "How many bytes of segments a second are copied to one HDD even while other reads wait for that"
                            + " HDD. Between this rate and tiered.ssd.copy.bytes.per.second, the tier slows copies"
                            + " down when reads of the HDD take longer, and speeds them up as the SSD fills. With a"
                            + " higher minimum, copies slow down less.")
            .dynamic()
            .where(DynamicTierSettings::isPositive, POSITIVE);

    public static final ConfigKey<Long> COPY_INTERVAL_MS = ConfigKey.ofLong(
                    "tiered.ssd.copy.interval.ms",
                    LOW,
                    1000,
                    "How often the tier looks for segments to copy or to evict after it found none. With a shorter"
                            + " interval, the HDDs catch up that much sooner. The default is good.")
            .dynamic()
            .where(DynamicTierSettings::isPositive, POSITIVE);

    public static final ConfigKey<Long> COLD_READ_BYTES_PER_SECOND = ConfigKey.ofLong(
                    "tiered.ssd.cold.read.bytes.per.second",
                    MEDIUM,
                    UNLIMITED,
                    "How many bytes a second are read from all HDDs together for consumers that lag behind the SSDs."
                            + " They share it evenly, chunk by chunk. Replicas are exempt. The default, -1, sets no"
                            + " limit.")
            .dynamic()
            .where(value -> value == UNLIMITED || isPositive(value), "must be positive, or -1");

    public static final ConfigKey<Long> COLD_READ_CLIENT_BYTES_PER_SECOND = ConfigKey.ofLong(
                    "tiered.ssd.cold.read.client.bytes.per.second",
                    MEDIUM,
                    UNLIMITED,
                    "How many bytes a second each client-id gets of segments that are on the HDDs alone. What it reads"
                            + " from the SSDs is not limited. A response waits at most 10 s for that, so more than"
                            + " ten consumers with one client-id may get more together. Replicas are exempt. The"
                            + " default, -1, sets no limit.")
            .dynamic()
            .where(value -> value == UNLIMITED || isPositive(value), "must be positive, or -1");

    /**
     * @throws IllegalArgumentException that names the key and the value, when a value is impossible alone or with
     *     another
     */
    public DynamicTierSettings {
        HIGH_WATERMARK_RATIO.check(highWatermarkRatio);
        LOW_WATERMARK_RATIO.check(lowWatermarkRatio);
        LOW_WATERMARK_RATIO.require(
                lowWatermarkRatio < highWatermarkRatio,
                lowWatermarkRatio,
                "must be below " + HIGH_WATERMARK_RATIO + "=" + highWatermarkRatio);
        COPY_BYTES_PER_SECOND.check(copyBytesPerSecond);
        COPY_MIN_BYTES_PER_SECOND.check(copyMinBytesPerSecond);
        COPY_MIN_BYTES_PER_SECOND.require(
                copyBytesPerSecond == FOLLOW_INFLOW || copyMinBytesPerSecond <= copyBytesPerSecond,
                copyMinBytesPerSecond,
                "must not exceed " + COPY_BYTES_PER_SECOND + "=" + copyBytesPerSecond);
        COPY_INTERVAL_MS.check(copyIntervalMs);
        COLD_READ_BYTES_PER_SECOND.check(coldReadBytesPerSecond);
        COLD_READ_CLIENT_BYTES_PER_SECOND.check(coldReadClientBytesPerSecond);
    }

    /**
     * The most that may be copied to one HDD, in bytes per second.
     *
     * @param inflowBytesPerSecond what comes in for that HDD
     */
    public long copyCeiling(double inflowBytesPerSecond) {
        return copyBytesPerSecond == FOLLOW_INFLOW
                ? Math.max(copyMinBytesPerSecond, Math.max(LEAST_CEILING, (long) (2 * inflowBytesPerSecond)))
                : copyBytesPerSecond;
    }

    /** The most that may be read for consumers that lag, in bytes per second. */
    public long coldReadCeiling() {
        return ceiling(coldReadBytesPerSecond);
    }

    /** The most that each client may get that lags, in bytes per second. */
    public long coldReadClientCeiling() {
        return ceiling(coldReadClientBytesPerSecond);
    }

    private static long ceiling(long bytesPerSecond) {
        return bytesPerSecond == UNLIMITED ? DeviceCeilings.UNLIMITED : bytesPerSecond;
    }

    private static boolean isRatio(double value) {
        return value > 0 && value <= 1;
    }

    private static boolean isPositive(long value) {
        return value > 0;
    }
}
