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
 * The files in a broker's log directories and SSD directories that a start must know of. Immutable.
 *
 * <p>It holds only as long as no process changes the directories: hold their locks.
 */
public final class DiskScan {

    /** Scans the disks, or waits for a scan that has begun earlier. */
    @FunctionalInterface
    public interface Source {
        DiskScan scan() throws IOException;
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
        DiskScan scan = new DiskScan();
        for (LogDirMeta logDir : logDirs) {
            List<Path> dirs = FileReads.children(logDir.path()).stream()
                    .filter(SegmentFileName::isTiered)
                    .toList();
            List<ScannedPartition> partitions = FileReads.ofEach(dirs, ScannedPartition::read);
            scan.partitions.put(logDir.path(), partitions);
            Map<Path, Map<String, FileStamp>> files = new HashMap<>();
            partitions.forEach(partition -> files.put(partition.dir(), partition.files()));
            for (Path ssd : ssdDirs) {
                Path ofLogDir = ssd.resolve(logDir.directoryId());
                scan.copies.put(ofLogDir, FileReads.ofEach(FileReads.children(ofLogDir), ssdPartition -> {
                    Path partition = logDir.path().resolve(ssdPartition.getFileName());
                    return ScannedSsdPartition.read(ssdPartition, partition, files.getOrDefault(partition, Map.of()));
                }));
            }
        }
        return scan;
    }

    /** The partitions in a log directory. */
    List<ScannedPartition> partitions(LogDir logDir) {
        return partitions.getOrDefault(logDir.path(), List.of());
    }

    /** The partitions of a log directory on an SSD. */
    List<ScannedSsdPartition> copies(SsdDir ssd, LogDir logDir) {
        return copies.getOrDefault(ssd.path().resolve(logDir.id()), List.of());
    }
}
