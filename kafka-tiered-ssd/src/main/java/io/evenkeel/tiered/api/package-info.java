/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The words that cross a boundary: settings, states, requests, counts.
 *
 * <p>All are immutable values, except {@link io.evenkeel.tiered.api.TierListener}, which gets the events that an
 * operator may want to know. This room depends on the JDK and on core only, and every other room may use it.
 */
@NullMarked
package io.evenkeel.tiered.api;

import org.jspecify.annotations.NullMarked;
