/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The words that cross a boundary: settings, states, requests, counts. Immutable values and one listener.
 *
 * <p>Knows nothing but the JDK and core.
 */
@NullMarked
package io.evenkeel.tiered.api;

import org.jspecify.annotations.NullMarked;
