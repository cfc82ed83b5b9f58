/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The edge of the purgatory wheel: its keys and gauges. The rest of the edge is in {@code src/replaced}: classes under
 * Kafka's own names, which the agent loads instead of Kafka's.
 */
@NullMarked
package io.evenkeel.purgatory.kafka;

import org.jspecify.annotations.NullMarked;
