/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** Why a new segment goes to the HDD. */
public enum HddReason {
    /** The space of the SSDs is used or reserved. */
    NO_ROOM("its SSDs have no room for it"),
    /** The SSD is suspect, or the file could not be created on it. */
    SSD_FAILED("its SSD has failed"),
    /** Only the cold reads are on. */
    NO_SSD("the broker has no SSD"),
    /** The tier is paused or drained. */
    MODE("the tier is not on"),
    /** The operator keeps the topic off the SSDs. */
    EXCLUDED("its topic is excluded"),
    /** This broker follows the partition, and its followers belong on the HDD. */
    FOLLOWER("this broker is a follower of its partition"),
    /** This broker follows the partition and is not in sync: what it fetches is not new. */
    CATCHING_UP("this broker's replica is not in sync yet"),
    /** No client reads it: a replica that moves between log directories, the output of compaction, a deleted topic. */
    NOT_LIVE("it is not read yet, or not any more");

    private final String text;

    HddReason(String text) {
        this.text = text;
    }

    /** True when the segment belongs on an SSD and could not go there. */
    public boolean isRefusal() {
        return this == NO_ROOM || this == SSD_FAILED;
    }

    @Override
    public String toString() {
        return text;
    }
}
