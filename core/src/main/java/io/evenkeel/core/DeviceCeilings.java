/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many bytes a second all writers together may write to each disk. Thread safe; never waits.
 *
 * <p>Before it writes, a writer reserves the bytes at the disk's {@link RateLimiter}. It begins no further write until
 * the reservations of all writers are paid for.
 */
public final class DeviceCeilings {
    /** The same as no ceiling. */
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
