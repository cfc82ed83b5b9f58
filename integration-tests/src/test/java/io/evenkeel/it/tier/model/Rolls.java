/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * When the log begins a new segment because the one in use is on the HDD: the one thing that the tier wants of a log
 * that stock does not. The tiered run does it by itself, before the tier asks, and writes it down; the stock run
 * repeats it. Not thread safe.
 */
final class Rolls {
    private final Path file;
    private final boolean repeats;
    private final List<String> recorded;

    private Rolls(Path file, boolean repeats, List<String> recorded) {
        this.file = file;
        this.repeats = repeats;
        this.recorded = recorded;
    }

    static Rolls recording(Path file) throws IOException {
        Files.writeString(file, "");
        return new Rolls(file, false, List.of());
    }

    static Rolls repeating(Path file) throws IOException {
        return new Rolls(file, true, Files.readAllLines(file));
    }

    /** True when the log is to be rolled before that operation. */
    boolean isDue(int operation, UnifiedLog log) throws IOException {
        String line = String.valueOf(operation);
        if (repeats) {
            return recorded.contains(line);
        }
        if (isOnSsd(log)) {
            return false;
        }
        Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
        return true;
    }

    /** Asks the channel: the file on the SSD may be one that the segment has just left. */
    private static boolean isOnSsd(UnifiedLog log) {
        return log.activeSegment().log().channel().toString().endsWith("(SSD)");
    }
}
