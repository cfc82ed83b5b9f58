/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.util.Map;

/**
 * What a broker and the kernel say at an instant. Immutable.
 *
 * @param unwritten as the kernel sees it
 * @param gauges the flush pacer's own; empty on a stock broker
 * @param segmentForces since the broker's start
 */
record BrokerState(Unwritten.Most unwritten, Map<String, Long> gauges, long segmentForces) {}
