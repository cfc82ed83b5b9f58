/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;

/**
 * Whether a broker flushes by rate, and how. Immutable.
 *
 * @param why as the end of a sentence that begins with whether it is on
 * @param keys the settings as an operator writes them
 */
record FlushChoice(boolean isOn, String why, FlushSettings settings, String keys) {
    /** For the broker's log. */
    String announcement() {
        return isOn
                ? "Flushing by rate is on: " + why
                        + ". Message-count flush intervals of 1,000 and more are now ignored,"
                        + " in the broker's config and in topics' configs. " + keys
                : "Flushing by rate is off: " + why + ".";
    }
}
