/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * The reads from the devices of one kind since the start, and their failures. Immutable.
 *
 * @param reads operations, sends included
 * @param errors operations of broker threads that failed because of the device, even if the other device had the bytes
 */
public record DeviceStats(long reads, long readBytes, long errors) {
    public static final DeviceStats NONE = new DeviceStats(0, 0, 0);

    public DeviceStats plus(DeviceStats other) {
        return new DeviceStats(reads + other.reads, readBytes + other.readBytes, errors + other.errors);
    }
}
