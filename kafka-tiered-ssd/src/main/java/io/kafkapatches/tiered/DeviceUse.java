/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

/**
 * What devices of one kind have done for readers since the start, and how often they failed. Immutable.
 *
 * @param reads operations, sends among them
 * @param errors operations of broker threads that failed because of the device, whether or not the other one could help
 */
public record DeviceUse(long reads, long readBytes, long errors) {
    static final DeviceUse NONE = new DeviceUse(0, 0, 0);

    DeviceUse plus(DeviceUse other) {
        return new DeviceUse(reads + other.reads, readBytes + other.readBytes, errors + other.errors);
    }
}
