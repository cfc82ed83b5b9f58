/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The sizing of a broker on paper: replays a day of appends and reads in virtual time, and counts what each device
 * does.
 *
 * <p>{@link io.evenkeel.tiered.sizing.TierStore} asks the classes of the room {@code disk} that a broker asks: where a
 * segment belongs, how fast to copy, how much to evict and which. {@link io.evenkeel.tiered.sizing.CacheStore} stands
 * for other policies. No file is touched.
 */
@NullMarked
package io.evenkeel.tiered.sizing;

import org.jspecify.annotations.NullMarked;
