/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import static io.evenkeel.core.Setting.require;

/**
 * What an operator can change while the broker runs, checked as a whole. Immutable.
 *
 * @param mode whether segments are placed on, copied to and evicted from the SSDs
 * @param highWatermarkRatio of the capacity: above it the oldest segments leave the SSD
 * @param lowWatermarkRatio of the capacity: eviction stops here
 * @param syncBytesPerSecond how much the copies of the broker may write to and read back from its HDDs at the most
 * @param syncMinBytesPerSecond how much the copies to one HDD may move even when others wait for that HDD
 * @param syncIntervalMs how often an idle syncer or evictor looks for work
 * @param followerPlacement where new segments of followers go, unless their topic says otherwise
 * @param excludedTopics the segments of these topics are never placed on an SSD
 */
public record DynamicTierSettings(
        TierMode mode,
        double highWatermarkRatio,
        double lowWatermarkRatio,
        long syncBytesPerSecond,
        long syncMinBytesPerSecond,
        long syncIntervalMs,
        Device followerPlacement,
        TopicFilter excludedTopics) {

    public static final String MODE = "tiered.ssd.mode";
    public static final String HIGH_WATERMARK_RATIO = "tiered.ssd.high.watermark.ratio";
    public static final String LOW_WATERMARK_RATIO = "tiered.ssd.low.watermark.ratio";
    public static final String SYNC_BYTES_PER_SECOND = "tiered.ssd.sync.bytes.per.second";
    public static final String SYNC_MIN_BYTES_PER_SECOND = "tiered.ssd.sync.min.bytes.per.second";
    public static final String SYNC_INTERVAL_MS = "tiered.ssd.sync.interval.ms";
    /** Also a topic's own config, which wins over the broker's. */
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
        require(syncBytesPerSecond > 0, SYNC_BYTES_PER_SECOND, syncBytesPerSecond, "must be positive");
        require(syncMinBytesPerSecond > 0, SYNC_MIN_BYTES_PER_SECOND, syncMinBytesPerSecond, "must be positive");
        require(
                syncMinBytesPerSecond <= syncBytesPerSecond,
                SYNC_MIN_BYTES_PER_SECOND,
                syncMinBytesPerSecond,
                "must not exceed " + SYNC_BYTES_PER_SECOND + "=" + syncBytesPerSecond);
        require(syncIntervalMs > 0, SYNC_INTERVAL_MS, syncIntervalMs, "must be positive");
    }

    private static boolean isRatio(double value) {
        return value > 0 && value <= 1;
    }
}
