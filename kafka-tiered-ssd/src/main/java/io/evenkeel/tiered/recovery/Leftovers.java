/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files and directories that a crash has left behind, for a start to remove. Not thread safe.
 *
 * @param hddFiles links and files in log directories
 * @param ssdFiles files on SSDs, by the partition's directory that a link to them is or was in
 * @param emptyDirs directories on SSDs that have nothing but leftovers in them
 */
record Leftovers(List<Path> hddFiles, Map<Path, List<Path>> ssdFiles, List<Path> emptyDirs) {
    /** None so far. */
    Leftovers() {
        this(new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>());
    }

    void addSsdFile(Path partition, Path file) {
        ssdFiles.computeIfAbsent(partition, key -> new ArrayList<>()).add(file);
    }
}
