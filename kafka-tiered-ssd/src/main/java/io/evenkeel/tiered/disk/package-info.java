/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Devices and their space: the SSD directories, the HDDs, and the log directories on them.
 *
 * <p>{@link io.evenkeel.tiered.disk.SsdDir} counts the space of one SSD directory: reserved, written, cached. A segment
 * takes its part through a {@link io.evenkeel.tiered.disk.SpaceReservation}, which the segment's lock guards.
 * {@link io.evenkeel.tiered.disk.EvictionPolicy} picks the segments to evict. This room knows single files but no
 * segment.
 */
@NullMarked
package io.evenkeel.tiered.disk;

import org.jspecify.annotations.NullMarked;
