/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many bytes a second may be written to each disk, by all who write to it together. Thread safe; never waits.
 *
 * <p>Who is about to write reserves that at the disk's {@link RateLimiter}, and begins nothing more until all that was
 * reserved there is paid for, by whomever.
 */
public final class DeviceCeilings {
    /** As good as no ceiling. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<Object, RateLimiter> byDevice = new HashMap<>();
    private long bytesPerSecond = UNLIMITED;

    /** The budget of a disk; always the same one. */
    public synchronized RateLimiter of(Object device) {
        return byDevice.computeIfAbsent(device, any -> new RateLimiter(bytesPerSecond, BURST_NANOS));
    }

    /** Changes the ceiling of every disk. */
    public synchronized void rate(long changedBytesPerSecond, long nowNanos) {
        bytesPerSecond = changedBytesPerSecond;
        byDevice.values().forEach(device -> device.rate(changedBytesPerSecond, nowNanos));
    }
}
