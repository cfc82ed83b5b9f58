/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** What to do at the start when a link does not lead to a file on one of our SSDs. */
public enum OnMissing {
    /** Refuse to start; nothing is touched. */
    FAIL,
    /** Give up what is missing, and what comes after it in the same partition. */
    TRUNCATE
}
