/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

/**
 * What an operator can set, checked as a whole. Immutable.
 *
 * @param ssdDirs one or more absolute directories, each on an SSD
 * @param capacityBytes how much the tier may keep in each SSD directory
 * @param highWatermarkRatio of the capacity: above it the oldest segments leave the SSD
 * @param lowWatermarkRatio of the capacity: eviction stops here
 * @param syncBytesPerSecond how much the copies of the broker may write to and read back from its HDDs
 * @param syncIntervalMs how often an idle syncer or evictor looks for work
 */
public record TieredSettings(
        List<Path> ssdDirs,
        long capacityBytes,
        double highWatermarkRatio,
        double lowWatermarkRatio,
        long syncBytesPerSecond,
        long syncIntervalMs) {

    public static final String DIRS = "tiered.ssd.dirs";
    public static final String CAPACITY_BYTES = "tiered.ssd.capacity.bytes";
    public static final String HIGH_WATERMARK_RATIO = "tiered.ssd.high.watermark.ratio";
    public static final String LOW_WATERMARK_RATIO = "tiered.ssd.low.watermark.ratio";
    public static final String SYNC_BYTES_PER_SECOND = "tiered.ssd.sync.bytes.per.second";
    public static final String SYNC_INTERVAL_MS = "tiered.ssd.sync.interval.ms";

    /**
     * @throws IllegalArgumentException that names the key and the value, when a value is impossible alone or with another
     */
    public TieredSettings {
        ssdDirs = List.copyOf(ssdDirs);
        require(!ssdDirs.isEmpty(), DIRS, ssdDirs, "needs at least one directory");
        require(ssdDirs.stream().allMatch(Path::isAbsolute), DIRS, ssdDirs, "takes absolute paths only");
        require(new HashSet<>(ssdDirs).size() == ssdDirs.size(), DIRS, ssdDirs, "names a directory twice");
        for (Path dir : ssdDirs) {
            for (Path other : ssdDirs) {
                require(dir.equals(other) || !dir.startsWith(other), DIRS, ssdDirs, "has one directory inside another");
            }
        }
        require(capacityBytes > 0, CAPACITY_BYTES, capacityBytes, "must be positive");
        require(isRatio(highWatermarkRatio), HIGH_WATERMARK_RATIO, highWatermarkRatio, "must be above 0 and at most 1");
        require(isRatio(lowWatermarkRatio), LOW_WATERMARK_RATIO, lowWatermarkRatio, "must be above 0 and at most 1");
        require(
                lowWatermarkRatio < highWatermarkRatio,
                LOW_WATERMARK_RATIO,
                lowWatermarkRatio,
                "must be below " + HIGH_WATERMARK_RATIO + "=" + highWatermarkRatio);
        require(syncBytesPerSecond > 0, SYNC_BYTES_PER_SECOND, syncBytesPerSecond, "must be positive");
        require(syncIntervalMs > 0, SYNC_INTERVAL_MS, syncIntervalMs, "must be positive");
    }

    /** In bytes of one SSD directory. */
    public long highWatermarkBytes() {
        return (long) (capacityBytes * highWatermarkRatio);
    }

    /** In bytes of one SSD directory. */
    public long lowWatermarkBytes() {
        return (long) (capacityBytes * lowWatermarkRatio);
    }

    private static boolean isRatio(double value) {
        return value > 0 && value <= 1;
    }

    private static void require(boolean condition, String key, Object value, String what) {
        if (!condition) {
            throw new IllegalArgumentException(key + "=" + value + ": " + what);
        }
    }
}
