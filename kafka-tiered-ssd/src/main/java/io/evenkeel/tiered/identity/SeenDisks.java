/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of a broker's directories as a start has read it; {@link DiskVerdict} decides on it. Immutable.
 *
 * @param broker any of the log directories; all name the same cluster and node
 * @param ssds the SSD directories that can be read, in the order of the configuration
 * @param logDirs the log directories that can be read, in the order of the configuration
 * @param directoryIds Kafka's directory id of each of those log directories
 * @param mountPoints the SSD directories that are mount points now
 * @param unreadable one message for each directory that cannot be read
 */
record SeenDisks(
        LogDirMeta broker,
        Map<Path, SsdIdentity> ssds,
        Map<Path, KnownSsds> logDirs,
        Map<Path, String> directoryIds,
        Set<Path> mountPoints,
        List<String> unreadable) {

    /** Reads the identity files; changes nothing. */
    static SeenDisks read(FileOps files, List<Path> ssdDirs, List<LogDirMeta> dirs) {
        LogDirMeta broker = dirs.get(0);
        Map<Path, SsdIdentity> ssds = new LinkedHashMap<>();
        Map<Path, KnownSsds> logDirs = new LinkedHashMap<>();
        Map<Path, String> directoryIds = new HashMap<>();
        Set<Path> mountPoints = new LinkedHashSet<>();
        List<String> unreadable = new ArrayList<>();
        for (Path ssd : ssdDirs) {
            try {
                ssds.put(ssd, SsdIdentity.read(ssd, broker));
            } catch (IOException e) {
                unreadable.add(
                        e instanceof FileSystemException ? ssd + " cannot be read (" + e + ")." : e.getMessage());
            }
        }
        for (SsdIdentity ssd : ssds.values()) {
            if (ssd.isThere() && isMountPoint(files, ssd.path())) {
                mountPoints.add(ssd.path());
            }
        }
        for (LogDirMeta dir : dirs) {
            try {
                logDirs.put(dir.path(), KnownSsds.read(dir.path()));
                directoryIds.put(dir.path(), dir.directoryId());
            } catch (IOException e) {
                unreadable.add("The log directory " + dir.path() + " cannot be read (" + e + ").");
            }
        }
        return new SeenDisks(
                broker,
                Collections.unmodifiableMap(ssds),
                Collections.unmodifiableMap(logDirs),
                Map.copyOf(directoryIds),
                Set.copyOf(mountPoints),
                List.copyOf(unreadable));
    }

    private static boolean isMountPoint(FileOps files, Path dir) {
        return !files.device(dir).equals(files.device(SegmentFileName.dirOf(dir)));
    }
}
