/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The segments' files in a partition's directory on an SSD. Immutable.
 *
 * @param partition the directory that the SSD's one belongs to
 * @param isAll whether there is nothing else
 */
record FoundCopies(Path ssdPartition, Path partition, List<Copy> copies, boolean isAll) {

    /**
     * An SSD file.
     *
     * @param version which it has in common with the HDD file; null when that is a link, or this no copy of it any more
     */
    record Copy(Path ssdFile, Path hddFile, @Nullable FileVersion version) {}

    /** @param hddFiles what has been seen of the partition's segments that are real files, by name */
    static FoundCopies read(Path ssdPartition, Path partition, Map<String, FileVersion> hddFiles) throws IOException {
        List<Copy> copies = new ArrayList<>();
        List<Path> files = DiskReads.children(ssdPartition);
        for (Path file : files) {
            String segment = LogFileName.segmentOnSsd(LogFileName.nameOf(file));
            if (segment != null) {
                FileVersion hdd = hddFiles.get(segment);
                boolean same = hdd != null && hdd.isSame(FileVersion.at(file));
                copies.add(new Copy(file, partition.resolve(segment), same ? hdd : null));
            }
        }
        return new FoundCopies(ssdPartition, partition, copies, copies.size() == files.size());
    }
}
