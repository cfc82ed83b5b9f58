/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.LinkFault;
import java.nio.file.Path;

/**
 * A link whose SSD file is missing or cannot be trusted. Immutable.
 *
 * @param ssdDir the SSD directory that has the fault; the root directory when the link points outside all of them
 */
record BrokenLink(LogDir logDir, Path link, long baseOffset, Path target, LinkFault fault, Path ssdDir) {
    Path partition() {
        return SegmentFileName.dirOf(link);
    }
}
