/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.flush.FlushSettings.require;

/**
 * How fast unflushed bytes may be flushed; an operator can change it while the broker runs. Immutable.
 *
 * @param segmentBytesPerSecond at which one log is flushed as long as its bounds allow
 * @param deviceBytesPerSecond that no disk exceeds, or {@link #UNLIMITED}
 */
public record FlushRates(long segmentBytesPerSecond, long deviceBytesPerSecond) {
    public static final String SEGMENT_BYTES_PER_SECOND = "flush.ratelimit.segment.bytes.per.second";
    public static final String DEVICE_BYTES_PER_SECOND = "flush.ratelimit.device.bytes.per.second";

    public static final long UNLIMITED = -1;

    /** @throws IllegalArgumentException that names the key and the value, when a value is impossible */
    public FlushRates {
        require(segmentBytesPerSecond > 0, SEGMENT_BYTES_PER_SECOND, segmentBytesPerSecond, "must be positive");
        require(
                deviceBytesPerSecond > 0 || deviceBytesPerSecond == UNLIMITED,
                DEVICE_BYTES_PER_SECOND,
                deviceBytesPerSecond,
                "must be positive, or -1 for no ceiling");
    }

    /** The ceiling as a number to compare with. */
    double ceiling() {
        return deviceBytesPerSecond == UNLIMITED ? Double.POSITIVE_INFINITY : deviceBytesPerSecond;
    }
}
