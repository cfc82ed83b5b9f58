/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

/** Why what a link promises cannot be relied upon. */
public enum LinkFault {
    /** There is no directory at the SSD's path. */
    MISSING(true),
    /** The directory at the SSD's path is empty. */
    BLANK(true),
    /** The SSD has missed a start of the broker: it holds an old version, or nothing. */
    STALE(true),
    /** The SSD is the right one but does not have the file. */
    LACKING(true),
    /** The SSD is not configured any more, and the file is not there. */
    DROPPED(true),
    /** The SSD is not configured any more, but the file is there. */
    UNCONFIGURED(false),
    /** Another SSD of this broker is at this one's path. */
    SWAPPED(false),
    /** The link leads to a place that never was an SSD directory of the tier. */
    OUTSIDE(false),
    /** Two links lead to the same file. */
    TWICE(false),
    /** The SSD's directory itself is a problem. */
    PROBLEM(false);

    private final boolean lost;

    LinkFault(boolean lost) {
        this.lost = lost;
    }

    /** True when the file may be lost for good; false when the disks only have to be put right. */
    public boolean mayBeLost() {
        return lost;
    }
}
