/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it.model;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * When the log begins a new segment because the one in use is on the HDD: the one thing that the tier wants of a log that stock
 * does not. The tiered run does it by itself, before the tier asks, and writes it down; the stock run repeats it. Not thread
 * safe.
 */
final class Rolls {
    private final Path file;
    private final List<Path> ssdDirs;
    private final List<String> recorded;

    /** @param ssdDirs empty for the run that repeats */
    Rolls(Path file, List<Path> ssdDirs) throws IOException {
        this.file = file;
        this.ssdDirs = ssdDirs;
        this.recorded = ssdDirs.isEmpty() ? Files.readAllLines(file) : new ArrayList<>();
        if (!ssdDirs.isEmpty()) {
            Files.writeString(file, "");
        }
    }

    /** True when the log is to be rolled before that operation. */
    boolean isDue(int operation, UnifiedLog log) throws IOException {
        String line = String.valueOf(operation);
        if (ssdDirs.isEmpty()) {
            return recorded.contains(line);
        }
        if (isOnSsd(log.activeSegment().log().file().toPath())) {
            return false;
        }
        Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
        return true;
    }

    private boolean isOnSsd(Path active) throws IOException {
        if (Files.isSymbolicLink(active)) {
            return true;
        }
        Path partition = active.resolveSibling("");
        for (Path ssdDir : ssdDirs) {
            Path copies =
                    ssdDir.resolve(directoryId(partition.resolveSibling(""))).resolve(partition.getFileName());
            if (Files.isDirectory(copies)) {
                try (Stream<Path> files = Files.list(copies)) {
                    if (files.anyMatch(copy -> isCopy(copy, active))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Copies are kept by log directory: the one that a log has moved away from may have some of the same name. */
    private static String directoryId(Path logDir) throws IOException {
        try (Reader reader = Files.newBufferedReader(logDir.resolve("meta.properties"))) {
            Properties meta = new Properties();
            meta.load(reader);
            return meta.getProperty("directory.id");
        }
    }

    /** The name of a segment, with a number behind where the name was taken. */
    private static boolean isCopy(Path copy, Path active) {
        return copy.getFileName().toString().startsWith(active.getFileName().toString());
    }
}
