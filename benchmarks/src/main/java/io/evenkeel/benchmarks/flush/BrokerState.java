/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.util.Map;

/**
 * The state of a broker at an instant. Immutable.
 *
 * @param unwritten as the kernel sees it
 * @param gauges the flush pacer's own; empty on a stock broker
 * @param segmentFlushes since the broker's start
 */
record BrokerState(Unwritten.Most unwritten, Map<String, Long> gauges, long segmentFlushes) {
    static BrokerState of(Unwritten unwritten, Gauges gauges) throws IOException {
        return new BrokerState(unwritten.scan(), gauges.flush(), gauges.segmentFlushes());
    }

    /** A gauge of the flush pacer; 0 on a stock broker. */
    long gauge(String name) {
        return gauges.getOrDefault(name, 0L);
    }
}
