/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The offsets that Kafka wrote down for the partitions of a log directory; good for telling somebody, not for deciding.
 * Immutable.
 *
 * @param offsets by the name of the partition's directory
 */
record OffsetCheckpoint(Map<String, Long> offsets) {
    /** Up to where Kafka had flushed each log; empty when that cannot be read. */
    static OffsetCheckpoint readRecoveryPoints(Path logDir) {
        Map<String, Long> offsets = new HashMap<>();
        try {
            List<String> lines = Files.readAllLines(logDir.resolve("recovery-point-offset-checkpoint"));
            for (String line : lines) { // a version and a count, then: topic partition offset
                String[] words = line.split(" ", -1);
                if (words.length == 3) {
                    offsets.put(words[0] + "-" + words[1], Long.parseLong(words[2]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return new OffsetCheckpoint(Map.of());
        }
        return new OffsetCheckpoint(offsets);
    }

    /** -1 when there is none. */
    long offset(String partition) {
        return offsets.getOrDefault(partition, -1L);
    }
}
