/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;

/**
 * Whether a broker flushes by rate, and how. Immutable.
 *
 * @param isOn whether flushes are planned; in the shadow, that is all
 * @param why as the end of a sentence that begins with whether it is on
 * @param keys the settings as an operator writes them
 */
record FlushChoice(boolean isOn, String why, FlushSettings settings, String keys) {
    /** Whether both flush, both plan only, or both are off. */
    boolean hasModeOf(FlushChoice other) {
        return isOn == other.isOn && settings.isShadow() == other.settings.isShadow();
    }

    /** Whether logs are flushed by rate, rather than only planned to be. */
    boolean flushes() {
        return isOn && !settings.isShadow();
    }

    /** For the broker's log. */
    String announcement() {
        if (settings.isShadow()) {
            return "Flushing by rate is in the shadow: " + why
                    + ". The gauges show what it would flush; the broker flushes as stock. " + keys;
        }
        return isOn
                ? "Flushing by rate is on: " + why
                        + ". Message-count flush intervals of 1,000 and more are now ignored,"
                        + " in the broker's config and in topics' configs. " + keys
                : "Flushing by rate is off: " + why + ".";
    }
}
