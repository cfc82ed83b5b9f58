/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** What the tier does with segments. Reads and writes go on in every mode. */
public enum TierMode {
    /** Places, copies and evicts. */
    ON,
    /** Leaves every segment where it is; new ones go to the HDD. */
    PAUSED,
    /** Moves everything to the HDD; new segments go there too. */
    DRAIN
}
