/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A real log of Kafka's under random operations, in a process of its own: once as stock and once with the agent, to be
 * compared.
 *
 * <p>One thread does all of it; time and scheduled tasks move only when an operation says so. What the tier does in its
 * own threads meanwhile must not show.
 */
@NullMarked
package io.evenkeel.it.tier.model;

import org.jspecify.annotations.NullMarked;
