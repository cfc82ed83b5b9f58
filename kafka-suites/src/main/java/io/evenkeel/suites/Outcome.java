/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * How one test ended. Immutable.
 *
 * @param reason one line; empty for a test that passed
 */
record Outcome(Status status, String reason) {
    /** How a test can end. */
    enum Status {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** A line of a file of outcomes. */
    String line(String test) {
        return status + "\t" + test + "\t" + reason.replaceAll("\\s+", " ") + "\n";
    }

    /** Reads the lines of {@link #line}, by test; the worst outcome of a test that ran more than once. */
    static Map<String, Outcome> read(Path file) throws IOException {
        Map<String, Outcome> outcomes = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.split("\t", 3);
            if (parts.length == 3) { // the last line is cut off when the JVM was killed
                outcomes.merge(parts[1], new Outcome(Status.valueOf(parts[0]), parts[2]), Outcome::worse);
            }
        }
        return outcomes;
    }

    private Outcome worse(Outcome other) {
        return other.status == Status.FAILED ? other : this;
    }
}
