/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What was done in one log directory since the start. Thread safe. */
final class FlushCounts {
    final LongAdder forces = new LongAdder();
    final LongAdder forcedBytes = new LongAdder();
    final LongAdder forceNanos = new LongAdder();
    final LongAccumulator longestForceNanos = highest();
    final LongAdder turnWaitNanos = new LongAdder();
    final LongAdder escapes = new LongAdder();
    final LongAdder syncs = new LongAdder();
    final LongAccumulator highestBytes = highest();
    final LongAccumulator highestSpanNanos = highest();
    final LongAdder waitingAppends = new LongAdder();
    final LongAdder appendWaits = new LongAdder();
    final LongAdder appendWaitNanos = new LongAdder();
    final LongAdder refusedAppends = new LongAdder();
    final LongAdder putOffAppends = new LongAdder();

    private static LongAccumulator highest() {
        return new LongAccumulator(Math::max, 0);
    }
}
