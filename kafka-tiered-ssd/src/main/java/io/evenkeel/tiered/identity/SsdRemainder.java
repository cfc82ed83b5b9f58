/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What is in the SSD directories when their segments have left. Immutable.
 *
 * @param ours directories of partitions in folders of this broker's log directories
 * @param foreign whatever else there is: folders of other log directories, and files of other programs
 */
public record SsdRemainder(List<Path> ours, List<Path> foreign) {
    private static final Set<String> BESIDE_SEGMENTS =
            Set.of(IdentityFile.FILE_NAME, IdentityFile.TEMPORARY_NAME, "lost+found");

    /** True for a file or directory in an SSD directory that holds data: all but identity files. */
    public static boolean isData(Path child) {
        return !BESIDE_SEGMENTS.contains(SegmentFileName.nameOf(child));
    }

    /**
     * Removes the directories of partitions that are empty, and finds what is left.
     *
     * @param present the ids of the log directories that this broker has now
     * @param known other ids of log directories that have files here
     */
    static SsdRemainder of(FileOps files, Collection<Path> ssdDirs, Set<String> present, Set<String> known)
            throws IOException {
        List<Path> ours = new ArrayList<>();
        List<Path> foreign = new ArrayList<>();
        for (Path ssd : ssdDirs) {
            List<Path> children = FileReads.children(ssd).stream()
                    .filter(SsdRemainder::isData)
                    .sorted()
                    .toList();
            for (Path child : children) {
                String name = SegmentFileName.nameOf(child);
                if (present.contains(name) || known.contains(name)) {
                    removeEmptyDirectories(files, child);
                }
                if (present.contains(name)) {
                    ours.addAll(FileReads.children(child).stream().sorted().toList());
                } else if (FileReads.attributes(child) != null) {
                    foreign.add(child);
                }
            }
        }
        return new SsdRemainder(ours, foreign);
    }

    private static void removeEmptyDirectories(FileOps files, Path ofLogDir) throws IOException {
        for (Path partition : FileReads.children(ofLogDir)) {
            files.deleteDirectoryIfEmpty(partition);
        }
        files.deleteDirectoryIfEmpty(ofLogDir);
    }

    public boolean isEmpty() {
        return ours.isEmpty() && foreign.isEmpty();
    }

    /** All that is left. */
    public List<Path> all() {
        List<Path> all = new ArrayList<>(ours);
        all.addAll(foreign);
        return all;
    }
}
