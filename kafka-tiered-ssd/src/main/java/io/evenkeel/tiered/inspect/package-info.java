/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The disks as the command line tool sees and changes them.
 *
 * <p>{@link io.evenkeel.tiered.inspect.DiskSurvey} reads where each segment is, also while a broker runs.
 * {@link io.evenkeel.tiered.inspect.CopyComparison} compares both copies of a segment.
 * {@link io.evenkeel.tiered.inspect.OfflineDrain} takes all segments off the SSDs of a stopped broker.
 */
@NullMarked
package io.evenkeel.tiered.inspect;

import org.jspecify.annotations.NullMarked;
