/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** The reaction of the start to a link that does not lead to a file on one of our SSDs. */
public enum OnMissing {
    /** Refuse to start, and change nothing. */
    FAIL,
    /** Truncate the partition: the missing segment and all later ones are dropped. */
    TRUNCATE
}
