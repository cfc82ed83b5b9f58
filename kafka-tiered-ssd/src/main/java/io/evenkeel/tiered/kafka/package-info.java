/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The edge of the SSD tier: Kafka's config, metrics and log on one side, the pure tier on the other.
 *
 * <p>Woven broker code calls {@link io.evenkeel.tiered.kafka.TieredSsdHooks}, and
 * {@link io.evenkeel.core.kafka.ConfigHooks}, which calls {@link io.evenkeel.tiered.kafka.ConfiguredTier}.
 */
@NullMarked
package io.evenkeel.tiered.kafka;

import org.jspecify.annotations.NullMarked;
