/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a log directory remembers of the SSDs that its links lead to. Immutable.
 *
 * @param generation the last start of the broker that this log directory took part in; 0 when it never did
 * @param ssdIds which SSD was where, at that start
 */
record LogDirMark(long generation, Map<Path, String> ssdIds) {
    private static final String GENERATION = "generation";
    private static final String SSD_PREFIX = "ssd.";

    LogDirMark {
        ssdIds = Map.copyOf(ssdIds);
    }

    static LogDirMark read(Path logDir) throws IOException {
        Mark mark = Mark.read(logDir);
        if (mark == null) {
            return new LogDirMark(0, Map.of());
        }
        Map<Path, String> ssdIds = new HashMap<>();
        mark.values().forEach((key, value) -> {
            if (key.startsWith(SSD_PREFIX)) {
                ssdIds.put(Path.of(value), key.substring(SSD_PREFIX.length()));
            }
        });
        return new LogDirMark(mark.number(GENERATION, logDir), ssdIds);
    }

    Mark mark() {
        Map<String, String> values = new TreeMap<>();
        values.put(GENERATION, Long.toString(generation));
        ssdIds.forEach((path, id) -> values.put(SSD_PREFIX + id, path.toString()));
        return new Mark(values);
    }
}
