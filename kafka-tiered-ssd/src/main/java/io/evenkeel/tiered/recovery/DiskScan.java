/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.FileStamp;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the log directories and SSDs of a broker hold, as far as a start must know. Immutable.
 *
 * <p>It is worth as much as the certainty that nobody has changed the directories since: hold their locks.
 */
public final class DiskScan {

    /** Comes by what the disks hold when that is needed. */
    @FunctionalInterface
    public interface Look {
        DiskScan take() throws IOException;
    }

    private final Map<Path, List<ScannedPartition>> partitions = new HashMap<>();
    private final Map<Path, List<ScannedSsdPartition>> copies = new HashMap<>();

    private DiskScan() {}

    /**
     * Reads names, sizes and times, on several threads, and changes nothing.
     *
     * @throws IOException when a directory cannot be read
     */
    public static DiskScan read(List<LogDirMeta> logDirs, List<Path> ssdDirs) throws IOException {
        DiskScan found = new DiskScan();
        for (LogDirMeta logDir : logDirs) {
            List<Path> dirs = FileReads.children(logDir.path()).stream()
                    .filter(SegmentFileName::isTiered)
                    .toList();
            List<ScannedPartition> partitions = FileReads.ofEach(dirs, ScannedPartition::read);
            found.partitions.put(logDir.path(), partitions);
            Map<Path, Map<String, FileStamp>> files = new HashMap<>();
            partitions.forEach(partition -> files.put(partition.dir(), partition.files()));
            for (Path ssd : ssdDirs) {
                Path place = ssd.resolve(logDir.directoryId());
                found.copies.put(place, FileReads.ofEach(FileReads.children(place), ssdPartition -> {
                    Path partition = logDir.path().resolve(ssdPartition.getFileName());
                    return ScannedSsdPartition.read(ssdPartition, partition, files.getOrDefault(partition, Map.of()));
                }));
            }
        }
        return found;
    }

    /** What is in a log directory. */
    List<ScannedPartition> partitions(LogDir logDir) {
        return partitions.getOrDefault(logDir.path(), List.of());
    }

    /** What an SSD holds of a log directory's segments. */
    List<ScannedSsdPartition> copies(SsdDir ssd, LogDir logDir) {
        return copies.getOrDefault(ssd.path().resolve(logDir.id()), List.of());
    }
}
