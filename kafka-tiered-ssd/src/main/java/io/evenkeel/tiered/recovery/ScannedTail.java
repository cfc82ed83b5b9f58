/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A partition that misses a segment, and its files from that segment on. Immutable.
 *
 * @param fromOffset the base offset of the first segment that is missing
 * @param files every file whose name begins with that offset or a greater one
 * @param checkpoints of the log directory
 */
record ScannedTail(LogDir logDir, Path partition, long fromOffset, List<Path> files, KafkaCheckpoints checkpoints) {
    ScannedTail {
        files = List.copyOf(files);
    }

    /** Reads the directory of each partition that has a broken link; changes nothing. */
    static List<ScannedTail> readAll(List<BrokenLink> broken) throws IOException {
        Map<Path, BrokenLink> first = new TreeMap<>();
        for (BrokenLink link : broken) {
            first.merge(link.partition(), link, (a, b) -> a.baseOffset() <= b.baseOffset() ? a : b);
        }
        Map<LogDir, KafkaCheckpoints> checkpoints = new HashMap<>();
        List<ScannedTail> tails = new ArrayList<>();
        for (BrokenLink link : first.values()) {
            LogDir logDir = link.logDir();
            KafkaCheckpoints known = checkpoints.computeIfAbsent(logDir, dir -> KafkaCheckpoints.read(dir.path()));
            tails.add(read(logDir, link.partition(), link.baseOffset(), known));
        }
        return tails;
    }

    private static ScannedTail read(LogDir logDir, Path partition, long fromOffset, KafkaCheckpoints checkpoints)
            throws IOException {
        List<Path> files = FileReads.children(partition).stream()
                .filter(file -> SegmentFileName.leadingOffset(file) >= fromOffset)
                .toList();
        return new ScannedTail(logDir, partition, fromOffset, files, checkpoints);
    }
}
