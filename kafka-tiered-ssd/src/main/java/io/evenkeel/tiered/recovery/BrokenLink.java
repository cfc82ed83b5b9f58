/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.LinkFault;
import java.nio.file.Path;

/**
 * A link whose SSD file is not there, or cannot be trusted. Immutable.
 *
 * @param place the directory that is to blame
 */
record BrokenLink(LogDir logDir, Path link, long baseOffset, Path target, LinkFault doubt, Path place) {
    Path partition() {
        return SegmentFileName.dirOf(link);
    }
}
