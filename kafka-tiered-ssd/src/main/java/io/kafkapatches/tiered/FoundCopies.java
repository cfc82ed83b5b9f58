/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a partition's directory on an SSD holds that no link leads to. Immutable.
 *
 * @param partition the directory that the SSD's one belongs to
 * @param isAll whether there is nothing else
 */
record FoundCopies(Path ssdPartition, Path partition, List<Copy> copies, boolean isAll) {

    /**
     * An SSD file.
     *
     * @param version which it has in common with the HDD file; null when it is no copy of that any more
     */
    record Copy(Path ssdFile, Path hddFile, @Nullable FileVersion version) {}

    /**
     * @param hddFiles what has been seen of the partition's segments that are real files, by name
     * @param linked SSD files that links lead to
     */
    static FoundCopies read(Path ssdPartition, Path partition, Map<String, FileVersion> hddFiles, Set<Path> linked)
            throws IOException {
        List<Copy> copies = new ArrayList<>();
        List<Path> files = DiskReads.children(ssdPartition);
        for (Path file : files) {
            String segment = LogFileName.segmentOnSsd(LogFileName.nameOf(file));
            if (segment != null && !linked.contains(file)) {
                FileVersion hdd = hddFiles.get(segment);
                boolean same = hdd != null && hdd.isSame(FileVersion.at(file));
                copies.add(new Copy(file, partition.resolve(segment), same ? hdd : null));
            }
        }
        return new FoundCopies(ssdPartition, partition, copies, copies.size() == files.size());
    }
}
