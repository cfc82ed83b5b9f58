/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which tests to run. Immutable.
 *
 * @param tests classes, or {@code class#method}
 * @param atLeast how many must pass on stock and when patched; fewer would mean that something was not found, or not
 *     run
 * @param mustHappen the actions without which the run proves nothing
 * @param startsBrokers whether a test starts brokers, which leave no place for the harness to flush by rate
 */
record TestList(List<String> tests, int atLeast, List<String> mustHappen, boolean startsBrokers) {
    private static final String AT_LEAST = "at least ";
    private static final String MUST_HAPPEN = "must happen: ";
    private static final String STARTS_BROKERS = "starts brokers";

    /**
     * Reads the tests that the names stand for.
     *
     * @param names each a class, {@code class#method}, or a file in {@code lists} with such lines, {@code at least N},
     *     {@code must happen: WHAT}, {@code starts brokers} and comments
     */
    static TestList of(List<String> names, Path lists) throws IOException {
        List<String> tests = new ArrayList<>();
        List<String> mustHappen = new ArrayList<>();
        int atLeast = 0;
        boolean startsBrokers = false;
        for (String name : names) {
            Path list = lists.resolve(name);
            for (String line : Files.isRegularFile(list) ? Files.readAllLines(list) : List.of("at least 1", name)) {
                if (line.startsWith(AT_LEAST)) {
                    atLeast +=
                            Integer.parseInt(line.substring(AT_LEAST.length()).trim());
                } else if (line.startsWith(MUST_HAPPEN)) {
                    mustHappen.add(line.substring(MUST_HAPPEN.length()).trim());
                } else if (line.equals(STARTS_BROKERS)) {
                    startsBrokers = true;
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    tests.add(line.trim());
                }
            }
        }
        return new TestList(List.copyOf(tests), atLeast, List.copyOf(mustHappen), startsBrokers);
    }
}
