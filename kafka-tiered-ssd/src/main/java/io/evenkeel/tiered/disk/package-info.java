/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Devices and their space: the SSD directories, the HDDs, and the log directories on them; and the decisions who gets
 * that space.
 *
 * <p>{@link io.evenkeel.tiered.disk.SsdDir} counts the space of one SSD directory: reserved, written, cached. A segment
 * takes its part through a {@link io.evenkeel.tiered.disk.SpaceReservation}, which the segment's lock guards.
 * {@link io.evenkeel.tiered.disk.Placement} says where a new segment belongs,
 * {@link io.evenkeel.tiered.disk.Watermarks} how much is evicted, {@link io.evenkeel.tiered.disk.EvictionPolicy} which
 * segments, and {@link io.evenkeel.tiered.disk.CopyBudget} how fast segments are copied. This room knows single files
 * but no segment, so a simulation can ask the same decisions without a broker.
 */
@NullMarked
package io.evenkeel.tiered.disk;

import org.jspecify.annotations.NullMarked;
