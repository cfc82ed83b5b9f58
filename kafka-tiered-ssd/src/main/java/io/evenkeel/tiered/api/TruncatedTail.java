/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.nio.file.Path;

/**
 * The tail of a partition that is truncated, because an SSD is lost. Immutable.
 *
 * @param partition the directory on the HDD
 * @param fromOffset the first offset that is dropped
 * @param segments the number of segments that are dropped
 * @param knownEndOffset the log reached at least to this offset; exact when the broker was shut down cleanly
 */
public record TruncatedTail(Path partition, long fromOffset, int segments, long knownEndOffset) {}
