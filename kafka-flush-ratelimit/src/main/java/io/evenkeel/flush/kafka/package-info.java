/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The edge of flushing by rate: it connects Kafka's logs, config and metrics with the workers of {@code flush.disk}.
 *
 * <p>Woven broker code calls {@link io.evenkeel.flush.kafka.FlushRatelimitHooks}, and
 * {@link io.evenkeel.core.kafka.ConfigHooks}, which calls {@link io.evenkeel.flush.kafka.ConfiguredFlush}.
 */
@NullMarked
package io.evenkeel.flush.kafka;

import org.jspecify.annotations.NullMarked;
