/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * What devices of one kind have done for readers since the start, and how often they failed. Immutable.
 *
 * @param reads operations, sends among them
 * @param errors operations of broker threads that failed because of the device, whether or not the other one could help
 */
public record DeviceStats(long reads, long readBytes, long errors) {
    public static final DeviceStats NONE = new DeviceStats(0, 0, 0);

    public DeviceStats plus(DeviceStats other) {
        return new DeviceStats(reads + other.reads, readBytes + other.readBytes, errors + other.errors);
    }
}
