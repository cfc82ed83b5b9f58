/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a crash has left on the disks and nobody needs, to be removed at a start. Not thread safe.
 *
 * <p>What cannot be removed now takes space, but is never used; the next start tries again.
 */
final class Leftovers {
    private final FileOps files;
    private final List<Path> onHdd = new ArrayList<>();
    /** Files on SSDs, by the partition's directory that a link to them was in. */
    private final Map<Path, List<Path>> onSsd = new LinkedHashMap<>();

    private final List<Path> emptied = new ArrayList<>();

    Leftovers(FileOps files) {
        this.files = files;
    }

    /** A link or file in a log directory. */
    void add(Path file) {
        onHdd.add(file);
    }

    /** A file that is, or was, of {@code partition}. */
    void addOnSsd(Path partition, Path file) {
        onSsd.computeIfAbsent(partition, key -> new ArrayList<>()).add(file);
    }

    /** An SSD's directory of a partition that has nothing but garbage in it. */
    void addEmptied(Path ssdPartition) {
        emptied.add(ssdPartition);
    }

    void remove(TierListener listener) {
        for (Path file : onHdd) {
            remove(file, listener);
        }
        if (makeNamesDurable(listener)) {
            onSsd.values().forEach(ssdFiles -> ssdFiles.forEach(file -> remove(file, listener)));
        }
        for (Path ssdPartition : emptied) {
            try {
                files.deleteDirectoryIfEmpty(ssdPartition);
            } catch (IOException e) {
                listener.leftAsItIs(ssdPartition, e);
            }
        }
    }

    /**
     * A link to such a file, or the directory it was in, may have been replaced, removed or renamed by a process that
     * was killed before it came to force that. A power cut would bring the link back.
     *
     * @return false when one cannot be forced: a force that succeeds later would prove nothing
     */
    private boolean makeNamesDurable(TierListener listener) {
        Set<Path> logDirs = new LinkedHashSet<>();
        onSsd.keySet().forEach(partition -> logDirs.add(SegmentFileName.dirOf(partition)));
        for (Path logDir : logDirs) {
            Path dir = logDir;
            try {
                for (Path partition : FileReads.children(logDir)) {
                    if (onSsd.containsKey(partition.resolveSibling(SegmentFileName.partitionBeforeRename(partition)))) {
                        dir = partition;
                        files.syncDirectory(dir);
                    }
                }
                dir = logDir;
                files.syncDirectory(dir);
            } catch (IOException e) {
                listener.storageError(logDir, dir, e);
                return false;
            }
        }
        return true;
    }

    private void remove(Path file, TierListener listener) {
        try {
            files.deleteIfExists(file);
        } catch (IOException e) {
            listener.leftAsItIs(file, e);
        }
    }
}
