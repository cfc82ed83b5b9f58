/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.flush.FlushRates;

/** Flushing by rate in a broker where it is on. Immutable, of parts that are thread safe. */
record RunningFlush(PacedLogs logs, BackPressure backPressure, LiveSettings<FlushRates> settings) {}
