/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAccumulator;

/** The counters of flushing by rate, one object for the whole broker. Thread safe. */
public final class FlushCounts {
    private final Map<FlushCounter, LongAccumulator> counts = new EnumMap<>(FlushCounter.class);

    public FlushCounts() {
        for (FlushCounter counter : FlushCounter.values()) {
            counts.put(counter, new LongAccumulator(counter.isMaximum ? Math::max : Long::sum, 0));
        }
    }

    /** Adds an amount, or, where the counter keeps a maximum, raises it to that amount. */
    public void add(FlushCounter counter, long amount) {
        Objects.requireNonNull(counts.get(counter)).accumulate(amount);
    }

    public void increment(FlushCounter counter) {
        add(counter, 1);
    }

    /** The values now. */
    public Map<FlushCounter, Long> read() {
        Map<FlushCounter, Long> values = new EnumMap<>(FlushCounter.class);
        counts.forEach((counter, count) -> values.put(counter, count.get()));
        return values;
    }
}
