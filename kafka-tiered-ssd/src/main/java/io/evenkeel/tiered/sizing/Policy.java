/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

/** What decides which bytes are on the SSDs. */
public enum Policy {
    /** New segments on the SSD, copied when sealed, evicted by the age of their data; no read changes anything. */
    OURS("ours"),
    /** A write-through block cache in front of the HDDs: each read of the HDD brings its blocks in. */
    LRU_BLOCKS("LRU block cache"),
    /** The same, for whole segments. */
    LRU_SEGMENTS("LRU per segment"),
    /** As Pafka: the oldest segments leave above a threshold, and one that is read returns while there is room. */
    THRESHOLD("threshold with promotion");

    private final String text;

    Policy(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
