/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What may be a complete copy of a segment's HDD file. Immutable.
 *
 * @param version of both, when they were compared; null when that is still to be done
 */
record FoundCopy(SsdFile ssdFile, @Nullable FileVersion version) {

    /** True while {@code hdd}, which is what the HDD file is now, is what the copy was made of. */
    boolean isOf(BasicFileAttributes hdd) throws IOException {
        FileVersion copied = version == null ? FileVersion.at(ssdFile.path()) : version;
        return copied != null && copied.isSame(FileVersion.of(hdd));
    }
}
