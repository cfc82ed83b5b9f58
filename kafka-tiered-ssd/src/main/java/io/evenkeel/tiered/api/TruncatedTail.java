/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.nio.file.Path;

/**
 * The tail of a partition that is given up, because an SSD is lost. Immutable.
 *
 * @param partition the directory on the HDD
 * @param fromOffset this offset and all after it go
 * @param segments how many segments that are
 * @param knownEndOffset the log went on to here at least; exact when the broker was shut down cleanly
 */
public record TruncatedTail(Path partition, long fromOffset, int segments, long knownEndOffset) {}
