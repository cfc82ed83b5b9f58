/* SPDX-License-Identifier: Apache-2.0 */

/** Tests with other agents in the broker's JVM. */
@NullMarked
package io.evenkeel.it.agents;

import org.jspecify.annotations.NullMarked;
