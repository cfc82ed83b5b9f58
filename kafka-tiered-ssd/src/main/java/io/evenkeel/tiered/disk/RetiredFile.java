/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.file.BackingFile;
import java.nio.file.Path;

/**
 * A segment's file on its way off the SSD: to be closed when it is drained, then unlinked; then its space is free.
 * Immutable.
 */
public record RetiredFile(Path segment, BackingFile home, SsdFile ssdFile, long bookedBytes) {}
