/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Which disks belong together. {@link SeenDisks} reads the identity files, {@link DiskVerdict} decides without I/O, and
 * {@link DiskEnsemble} writes the files of the new generation.
 */
@NullMarked
package io.evenkeel.tiered.identity;

import org.jspecify.annotations.NullMarked;
