/* SPDX-License-Identifier: Apache-2.0 */

/**
 * One file: the names that we write, fsync, and direct I/O.
 *
 * <p>{@link io.evenkeel.tiered.file.SegmentFileName} knows every file name of a segment;
 * {@link io.evenkeel.tiered.file.FileOps} holds the operations of the crash protocol, so that tests can fail each of
 * them. {@link io.evenkeel.tiered.file.FileCopy} is the copy protocol from SSD to HDD, for the copier and for the
 * offline drain. {@link io.evenkeel.tiered.file.BackingFile} is an open file that is closed only when its last reader
 * has gone.
 */
@NullMarked
package io.evenkeel.tiered.file;

import org.jspecify.annotations.NullMarked;
