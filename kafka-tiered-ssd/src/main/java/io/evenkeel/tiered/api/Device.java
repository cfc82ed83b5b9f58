/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** The kind of device that holds the bytes. */
public enum Device {
    SSD,
    HDD
}
