/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.FileStamp;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The segments' files in a partition's directory on an SSD. Immutable.
 *
 * @param partition the partition's directory in the log directory
 * @param isAll true when the directory holds nothing else
 */
record ScannedSsdPartition(Path ssdPartition, Path partition, List<Copy> copies, boolean isAll) {

    /**
     * An SSD file.
     *
     * @param version length and time that it shares with the HDD file; null when the HDD file is a link or missing, or
     *     has changed since
     */
    record Copy(Path ssdFile, Path hddFile, @Nullable FileStamp version) {}

    /** @param hddFiles length and time of the partition's segments that are real files, by name */
    static ScannedSsdPartition read(Path ssdPartition, Path partition, Map<String, FileStamp> hddFiles)
            throws IOException {
        List<Copy> copies = new ArrayList<>();
        List<Path> files = FileReads.children(ssdPartition);
        for (Path file : files) {
            String segment = SegmentFileName.segmentOnSsd(SegmentFileName.nameOf(file));
            if (segment != null) {
                FileStamp hdd = hddFiles.get(segment);
                boolean same = hdd != null && hdd.isSame(FileStamp.at(file));
                copies.add(new Copy(file, partition.resolve(segment), same ? hdd : null));
            }
        }
        return new ScannedSsdPartition(ssdPartition, partition, copies, copies.size() == files.size());
    }
}
