/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;

/**
 * Whether a broker flushes by rate, and how. Immutable.
 *
 * @param why as the end of a sentence that begins with whether it is on
 */
record FlushChoice(boolean isOn, String why, FlushSettings settings) {}
