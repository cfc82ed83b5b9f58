/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Kafka's last checkpoints of the logs in a log directory. Immutable.
 *
 * @param flushed the offset up to which each log had been flushed, by the name of the partition's directory
 * @param logStarts the start offsets of logs whose first records have been deleted within a segment
 * @param isClean true when the broker was shut down cleanly, so that each log ends at its flushed offset
 */
record KafkaCheckpoints(Map<String, Long> flushed, Map<String, Long> logStarts, boolean isClean) {
    static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";

    static KafkaCheckpoints read(Path logDir) {
        return new KafkaCheckpoints(
                offsets(logDir.resolve("recovery-point-offset-checkpoint")),
                offsets(logDir.resolve("log-start-offset-checkpoint")),
                Files.exists(logDir.resolve(CLEAN_SHUTDOWN_FILE)));
    }

    /** Empty when the file cannot be read: Kafka also goes on without it. */
    private static Map<String, Long> offsets(Path file) {
        Map<String, Long> offsets = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) { // a version and a count, then: topic partition offset
                String[] words = line.split(" ", -1);
                if (words.length == 3) {
                    offsets.put(words[0] + "-" + words[1], Long.parseLong(words[2]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return Map.of();
        }
        return offsets;
    }

    /** The offset up to which a log had been flushed; -1 when that is not known. */
    long flushedEnd(Path partition) {
        return flushed.getOrDefault(SegmentFileName.nameOf(partition), -1L);
    }

    /** The start offset of a log; 0 when it begins with its first segment. */
    long logStart(Path partition) {
        return logStarts.getOrDefault(SegmentFileName.nameOf(partition), 0L);
    }
}
