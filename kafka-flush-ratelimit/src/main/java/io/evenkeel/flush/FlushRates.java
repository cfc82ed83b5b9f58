/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.core.ConfigKey.Importance.LOW;
import static io.evenkeel.core.ConfigKey.Importance.MEDIUM;

import io.evenkeel.core.ConfigKey;

/**
 * The rates of flushing, which an operator can change while the broker runs, and their keys. Immutable.
 *
 * @param segmentBytesPerSecond at which one log is flushed as long as its bounds allow
 * @param deviceBytesPerSecond that no disk exceeds, or {@link #UNLIMITED}
 */
public record FlushRates(long segmentBytesPerSecond, long deviceBytesPerSecond) {
    public static final long UNLIMITED = -1;

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
                            + " allows, producers wait. Below the average rate of incoming data, it throttles"
                            + " producers.")
            .dynamic()
            .where(rate -> rate > 0 || rate == UNLIMITED, "must be positive, or -1 for no ceiling");

    /** @throws IllegalArgumentException that names the key and the value, when a value is impossible */
    public FlushRates {
        SEGMENT_BYTES_PER_SECOND.check(segmentBytesPerSecond);
        DEVICE_BYTES_PER_SECOND.check(deviceBytesPerSecond);
    }

    /** The ceiling in bytes per second; infinite if there is none. */
    double ceiling() {
        return deviceBytesPerSecond == UNLIMITED ? Double.POSITIVE_INFINITY : deviceBytesPerSecond;
    }
}
