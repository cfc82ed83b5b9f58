/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** Files that name tests as {@link OutcomeListener#name} does. Stateless. */
final class TestNames {
    private TestNames() {}

    /** Reads a line for each test, and comments. */
    static Set<String> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::trim)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .collect(Collectors.toUnmodifiableSet());
    }
}
