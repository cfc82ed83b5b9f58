/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

/** Why the file that a link points to cannot be trusted. */
public enum LinkFault {
    /** There is no directory at the SSD's path. */
    MISSING(true),
    /** The directory at the SSD's path is empty. */
    BLANK(true),
    /** The SSD has missed a start of the broker: it holds an old version, or nothing. */
    STALE(true),
    /** The SSD is the right one but does not have the file. */
    LACKING(true),
    /** The SSD is no longer configured, and the file is missing. */
    DROPPED(true),
    /** The SSD is no longer configured, but the file is there. */
    UNCONFIGURED(false),
    /** Another SSD of this broker is at this one's path. */
    SWAPPED(false),
    /** The link points to a place that never was an SSD directory of the tier. */
    OUTSIDE(false),
    /** Two links point to the same file. */
    TWICE(false),
    /** The SSD directory itself is a problem. */
    PROBLEM(false);

    private final boolean lost;

    LinkFault(boolean lost) {
        this.lost = lost;
    }

    /**
     * True when the file may be lost for good; false when the operator only has to correct the mounts or the config.
     */
    public boolean mayBeLost() {
        return lost;
    }
}
