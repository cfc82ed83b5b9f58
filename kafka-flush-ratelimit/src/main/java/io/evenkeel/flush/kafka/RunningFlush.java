/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.flush.FlushRates;

/** The parts of flushing by rate in a broker where it is on. Immutable; the parts are thread safe. */
record RunningFlush(PacedLogs logs, BackPressure backPressure, LiveSettings<FlushRates> settings) {}
