/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** What the tier does with segments. Appends and fetches continue in every mode. */
public enum TierMode {
    /** Places, copies and evicts. */
    ON,
    /** Leaves every segment where it is; new ones go to the HDD. */
    PAUSED,
    /** Moves all segments to the HDDs; new ones go there as well. */
    DRAIN,
    /** Moves nothing, and computes what {@link #ON} would do. It is chosen at the start. */
    SHADOW
}
