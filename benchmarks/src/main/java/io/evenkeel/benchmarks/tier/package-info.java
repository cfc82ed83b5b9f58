/* SPDX-License-Identifier: Apache-2.0 */

/** The tiered SSD: what lagging consumers cost the others, and what the tiered channel costs. */
@NullMarked
package io.evenkeel.benchmarks.tier;

import org.jspecify.annotations.NullMarked;
