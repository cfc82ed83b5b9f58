/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The edge of the purgatory wheel: its keys and gauges. The rest of the edge are the classes under Kafka's own names,
 * in {@code src/replaced}, which the agent hands out in the place of Kafka's.
 */
@NullMarked
package io.evenkeel.purgatory.kafka;

import org.jspecify.annotations.NullMarked;
