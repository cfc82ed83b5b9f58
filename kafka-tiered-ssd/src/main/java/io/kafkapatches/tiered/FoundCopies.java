/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
     * @param same whether it is still a copy of the HDD file
     */
    record Copy(Path ssdFile, Path hddFile, boolean same) {}

    /**
     * @param hddFiles what has been seen of the partition's segments that are real files
     * @param linked SSD files that links lead to
     */
    static FoundCopies read(
            Path ssdPartition, Path partition, Map<Path, BasicFileAttributes> hddFiles, Set<Path> linked)
            throws IOException {
        List<Copy> copies = new ArrayList<>();
        List<Path> files = DiskReads.children(ssdPartition);
        for (Path file : files) {
            String segment = LogFileName.segmentOnSsd(LogFileName.nameOf(file));
            if (segment != null && !linked.contains(file)) {
                Path hddFile = partition.resolve(segment);
                copies.add(new Copy(file, hddFile, SegmentOpener.isSame(file, hddFiles.get(hddFile))));
            }
        }
        return new FoundCopies(ssdPartition, partition, copies, copies.size() == files.size());
    }
}
