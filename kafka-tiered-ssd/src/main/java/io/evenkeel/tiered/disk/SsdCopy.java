/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.file.FileStamp;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * An SSD file that may be a complete copy of a segment's HDD file. Immutable.
 *
 * @param stamp of both files, when they were compared; null when they have not been compared yet
 */
public record SsdCopy(SsdFile ssdFile, @Nullable FileStamp stamp) {

    /** True while the HDD file has the length and time of the copy; {@code hdd} are its attributes now. */
    public boolean isOf(BasicFileAttributes hdd) throws IOException {
        FileStamp copied = stamp == null ? FileStamp.at(ssdFile.path()) : stamp;
        return copied != null && copied.isSame(FileStamp.of(hdd));
    }
}
