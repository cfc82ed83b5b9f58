/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What may be a complete copy of a segment's HDD file. Immutable.
 *
 * @param hddFile what the HDD file was when the copy was compared with it; null when that is still to be done
 */
record FoundCopy(SsdFile ssdFile, @Nullable BasicFileAttributes hddFile) {

    /** True while {@code hdd}, which is what the HDD file is now, is what the copy was made of. */
    boolean isOf(BasicFileAttributes hdd) throws IOException {
        return hddFile == null ? SegmentOpener.isSame(ssdFile.path(), hdd) : SegmentOpener.isSame(hddFile, hdd);
    }
}
