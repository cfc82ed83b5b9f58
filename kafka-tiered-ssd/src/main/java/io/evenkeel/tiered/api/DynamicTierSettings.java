/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import static io.evenkeel.core.Setting.require;

/**
 * The settings that an operator can change while the broker runs, checked as a whole. Immutable.
 *
 * @param mode whether segments are placed on, copied to and evicted from the SSDs
 * @param highWatermarkRatio part of the capacity; above it the oldest segments leave the SSD
 * @param lowWatermarkRatio part of the capacity; eviction stops here
 * @param copyBytesPerSecond limit of all copies of the broker, for the bytes written to its HDDs and read back
 * @param copyMinBytesPerSecond rate that the copies to one HDD always have, even when readers wait for that HDD
 * @param copyIntervalMs pause of an idle copier or evictor before it looks for work again
 * @param followerPlacement the device for new segments of followers, unless their topic says otherwise
 * @param excludedTopics the segments of these topics are never placed on an SSD
 */
public record DynamicTierSettings(
        TierMode mode,
        double highWatermarkRatio,
        double lowWatermarkRatio,
        long copyBytesPerSecond,
        long copyMinBytesPerSecond,
        long copyIntervalMs,
        Device followerPlacement,
        TopicFilter excludedTopics) {

    public static final String MODE = "tiered.ssd.mode";
    public static final String HIGH_WATERMARK_RATIO = "tiered.ssd.high.watermark.ratio";
    public static final String LOW_WATERMARK_RATIO = "tiered.ssd.low.watermark.ratio";
    public static final String COPY_BYTES_PER_SECOND = "tiered.ssd.copy.bytes.per.second";
    public static final String COPY_MIN_BYTES_PER_SECOND = "tiered.ssd.copy.min.bytes.per.second";
    public static final String COPY_INTERVAL_MS = "tiered.ssd.copy.interval.ms";
    /** A topic can have a config of the same name, which overrides the broker's. */
    public static final String FOLLOWER_PLACEMENT = "tiered.ssd.follower.placement";

    public static final String EXCLUDED_TOPICS = "tiered.ssd.excluded.topics";

    /**
     * @throws IllegalArgumentException that names the key and the value, when a value is impossible alone or with
     *     another
     */
    public DynamicTierSettings {
        require(isRatio(highWatermarkRatio), HIGH_WATERMARK_RATIO, highWatermarkRatio, "must be above 0 and at most 1");
        require(isRatio(lowWatermarkRatio), LOW_WATERMARK_RATIO, lowWatermarkRatio, "must be above 0 and at most 1");
        require(
                lowWatermarkRatio < highWatermarkRatio,
                LOW_WATERMARK_RATIO,
                lowWatermarkRatio,
                "must be below " + HIGH_WATERMARK_RATIO + "=" + highWatermarkRatio);
        require(copyBytesPerSecond > 0, COPY_BYTES_PER_SECOND, copyBytesPerSecond, "must be positive");
        require(copyMinBytesPerSecond > 0, COPY_MIN_BYTES_PER_SECOND, copyMinBytesPerSecond, "must be positive");
        require(
                copyMinBytesPerSecond <= copyBytesPerSecond,
                COPY_MIN_BYTES_PER_SECOND,
                copyMinBytesPerSecond,
                "must not exceed " + COPY_BYTES_PER_SECOND + "=" + copyBytesPerSecond);
        require(copyIntervalMs > 0, COPY_INTERVAL_MS, copyIntervalMs, "must be positive");
    }

    private static boolean isRatio(double value) {
        return value > 0 && value <= 1;
    }
}
