/* SPDX-License-Identifier: Apache-2.0 */

/**
 * One file: every name that the tier writes, durable names, direct I/O.
 *
 * <p>{@link io.evenkeel.tiered.file.SegmentFileName} lists the names; {@link io.evenkeel.tiered.file.FileOps} holds the
 * operations that the crash protocol is made of.
 */
@NullMarked
package io.evenkeel.tiered.file;

import org.jspecify.annotations.NullMarked;
