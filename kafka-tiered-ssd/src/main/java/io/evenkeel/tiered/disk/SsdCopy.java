/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.file.FileStamp;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What may be a complete copy of a segment's HDD file. Immutable.
 *
 * @param version of both, when they were compared; null when that is still to be done
 */
public record SsdCopy(SsdFile ssdFile, @Nullable FileStamp version) {

    /** True while {@code hdd}, which is what the HDD file is now, is what the copy was made of. */
    public boolean isOf(BasicFileAttributes hdd) throws IOException {
        FileStamp copied = version == null ? FileStamp.at(ssdFile.path()) : version;
        return copied != null && copied.isSame(FileStamp.of(hdd));
    }
}
