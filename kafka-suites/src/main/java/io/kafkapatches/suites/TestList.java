/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which tests to run. Immutable.
 *
 * @param tests classes, or {@code class#method}
 * @param atLeast how many tests there are in them at least; fewer would mean that something was not found
 * @param known why a test cannot pass when patched, by test
 */
record TestList(List<String> tests, int atLeast, Map<String, String> known) {
    private static final String AT_LEAST = "at least ";
    private static final String KNOWN = "known ";

    /**
     * @param names each a class, {@code class#method}, or a file in {@code lists}. It has such lines, and {@code at least N},
     *     {@code known TEST = WHY} and comments
     */
    static TestList of(List<String> names, Path lists) throws IOException {
        List<String> tests = new ArrayList<>();
        Map<String, String> known = new TreeMap<>();
        int atLeast = 1;
        for (String name : names) {
            Path list = lists.resolve(name);
            for (String line : Files.isRegularFile(list) ? Files.readAllLines(list) : List.of(name)) {
                if (line.startsWith(AT_LEAST)) {
                    atLeast +=
                            Integer.parseInt(line.substring(AT_LEAST.length()).trim());
                } else if (line.startsWith(KNOWN)) {
                    String[] difference = line.substring(KNOWN.length()).split(" = ", 2);
                    known.put(difference[0], difference[1]);
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    tests.add(line.trim());
                }
            }
        }
        return new TestList(List.copyOf(tests), atLeast, Map.copyOf(known));
    }
}
