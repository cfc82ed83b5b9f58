/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static io.evenkeel.flush.FlushSettings.require;

/**
 * The limits of the flush rate; an operator can change them while the broker runs. Immutable.
 *
 * @param segmentBytesPerSecond the rate of one log, as long as its bounds allow
 * @param deviceBytesPerSecond the ceiling of each disk, or {@link #UNLIMITED}
 */
public record FlushRates(long segmentBytesPerSecond, long deviceBytesPerSecond) {
    public static final String SEGMENT_BYTES_PER_SECOND = "flush.ratelimit.segment.bytes.per.second";
    public static final String DEVICE_BYTES_PER_SECOND = "flush.ratelimit.device.bytes.per.second";

    public static final long UNLIMITED = -1;

    /** @throws IllegalArgumentException with the key and the value, when a value is out of range */
    public FlushRates {
        require(segmentBytesPerSecond > 0, SEGMENT_BYTES_PER_SECOND, segmentBytesPerSecond, "must be positive");
        require(
                deviceBytesPerSecond > 0 || deviceBytesPerSecond == UNLIMITED,
                DEVICE_BYTES_PER_SECOND,
                deviceBytesPerSecond,
                "must be positive, or -1 for no ceiling");
    }

    /** The ceiling in bytes per second; infinite if there is none. */
    double ceiling() {
        return deviceBytesPerSecond == UNLIMITED ? Double.POSITIVE_INFINITY : deviceBytesPerSecond;
    }
}
