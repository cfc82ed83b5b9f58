/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.LiveSettings;

/** The parts of flushing by rate in a broker. Immutable; the parts are thread safe. */
record RunningFlush(PacedLogs logs, AppendWaits waits, LiveSettings<FlushChoice> settings) {}
