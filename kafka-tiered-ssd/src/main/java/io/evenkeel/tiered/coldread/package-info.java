/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads of segments that are not in the page cache, without a network thread that waits for the disk.
 *
 * <p>A send whose bytes are not in memory is put aside, and its thread goes on. The worker of the disk reads large
 * aligned chunks past the page cache, and wakes the sends that wait for a chunk. {@code ColdReader} is where the
 * threads meet; everything else here is guarded by its lock or belongs to its worker.
 */
@NullMarked
package io.evenkeel.tiered.coldread;

import org.jspecify.annotations.NullMarked;
