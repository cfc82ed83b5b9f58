/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** The kind of device that bytes are on. */
public enum Device {
    SSD,
    HDD
}
