/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

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
public final class FoundDisks {

    /** Comes by what the disks hold when that is needed. */
    @FunctionalInterface
    public interface Look {
        FoundDisks take() throws IOException;
    }

    private final Map<Path, List<FoundPartition>> partitions = new HashMap<>();
    private final Map<Path, List<FoundCopies>> copies = new HashMap<>();

    private FoundDisks() {}

    /**
     * Reads names, sizes and times, on several threads, and changes nothing.
     *
     * @throws IOException when a directory cannot be read
     */
    public static FoundDisks read(List<LogDirIdentity> logDirs, List<Path> ssdDirs) throws IOException {
        FoundDisks found = new FoundDisks();
        for (LogDirIdentity logDir : logDirs) {
            List<Path> dirs = DiskReads.children(logDir.path()).stream()
                    .filter(LogFileName::isTiered)
                    .toList();
            List<FoundPartition> partitions = DiskReads.ofEach(dirs, FoundPartition::read);
            found.partitions.put(logDir.path(), partitions);
            Map<Path, Map<String, FileVersion>> files = new HashMap<>();
            partitions.forEach(partition -> files.put(partition.dir(), partition.files()));
            for (Path ssd : ssdDirs) {
                Path place = ssd.resolve(logDir.directoryId());
                found.copies.put(place, DiskReads.ofEach(DiskReads.children(place), ssdPartition -> {
                    Path partition = logDir.path().resolve(ssdPartition.getFileName());
                    return FoundCopies.read(ssdPartition, partition, files.getOrDefault(partition, Map.of()));
                }));
            }
        }
        return found;
    }

    /** What is in a log directory. */
    List<FoundPartition> partitions(LogDir logDir) {
        return partitions.getOrDefault(logDir.path(), List.of());
    }

    /** What an SSD holds of a log directory's segments. */
    List<FoundCopies> copies(SsdDir ssd, LogDir logDir) {
        return copies.getOrDefault(ssd.path().resolve(logDir.id()), List.of());
    }
}
