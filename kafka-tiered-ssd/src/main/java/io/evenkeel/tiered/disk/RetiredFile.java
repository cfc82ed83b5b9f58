/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.file.BackingFile;
import java.nio.file.Path;

/**
 * An SSD file whose segment has moved to the HDD. The evictor closes it when it is drained, then deletes it, and then
 * its space is free. Immutable.
 */
public record RetiredFile(Path segment, BackingFile backingFile, SsdFile ssdFile, long reservedBytes) {}
