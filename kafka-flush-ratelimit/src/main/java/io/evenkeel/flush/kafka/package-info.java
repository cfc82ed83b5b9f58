/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The edge of flushing by rate: it connects Kafka's logs, config and metrics with the workers of {@code flush.disk}.
 *
 * <p>Woven broker code calls the door, {@link io.evenkeel.flush.kafka.FlushRatelimitHooks}, and nothing else.
 */
@NullMarked
package io.evenkeel.flush.kafka;

import org.jspecify.annotations.NullMarked;
