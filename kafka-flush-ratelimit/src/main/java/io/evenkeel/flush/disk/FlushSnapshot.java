/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import java.util.Map;

/**
 * What the gauges show: the backlog now and the counters since the start, over all log directories. Immutable.
 *
 * @param counts a value for each counter
 * @param isShadow whether all that is only planned
 */
public record FlushSnapshot(FlushBacklog backlog, Map<FlushCounter, Long> counts, boolean isShadow) {
    public FlushSnapshot {
        counts = Map.copyOf(counts);
    }

    /** The value of a counter. */
    public long count(FlushCounter counter) {
        return counts.getOrDefault(counter, 0L);
    }
}
