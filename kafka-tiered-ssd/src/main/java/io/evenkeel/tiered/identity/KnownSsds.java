/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The SSDs that a log directory's links point to, as its identity file names them. Immutable.
 *
 * @param generation the last start of the broker that this log directory took part in; 0 when it never did
 * @param ssdIds the SSD's id by its path, at that start
 * @param mountPoints the SSD directories that were mount points, at that start
 */
record KnownSsds(long generation, Map<Path, String> ssdIds, Set<Path> mountPoints) {
    private static final String GENERATION = "generation";
    private static final String SSD_PREFIX = "ssd.";
    private static final String MOUNTED_PREFIX = "mounted.";

    KnownSsds {
        ssdIds = Map.copyOf(ssdIds);
        mountPoints = Set.copyOf(mountPoints);
    }

    static KnownSsds read(Path logDir) throws IOException {
        IdentityFile file = IdentityFile.read(logDir);
        if (file == null) {
            return new KnownSsds(0, Map.of(), Set.of());
        }
        Map<Path, String> ssdIds = new HashMap<>();
        Set<Path> mountPoints = new HashSet<>();
        file.values().forEach((key, value) -> {
            if (key.startsWith(SSD_PREFIX)) {
                String id = key.substring(SSD_PREFIX.length());
                ssdIds.put(Path.of(value), id);
                if (file.values().containsKey(MOUNTED_PREFIX + id)) {
                    mountPoints.add(Path.of(value));
                }
            }
        });
        return new KnownSsds(file.number(GENERATION, logDir), ssdIds, mountPoints);
    }

    IdentityFile file() {
        Map<String, String> values = new TreeMap<>();
        values.put(GENERATION, Long.toString(generation));
        ssdIds.forEach((path, id) -> {
            values.put(SSD_PREFIX + id, path.toString());
            if (mountPoints.contains(path)) {
                values.put(MOUNTED_PREFIX + id, "true");
            }
        });
        return new IdentityFile(values);
    }
}
