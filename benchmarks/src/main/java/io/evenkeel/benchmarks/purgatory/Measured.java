/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What one run has measured: numbers by name, which go from JVM to JVM as a line. Immutable. */
record Measured(Map<String, Double> numbers) {
    private static final String MARK = "measured ";

    Measured {
        numbers = Map.copyOf(numbers);
    }

    /** @throws IllegalArgumentException when it is not among the lines */
    static Measured parse(List<String> lines) {
        String line = lines.stream()
                .filter(each -> each.startsWith(MARK))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing was measured: " + String.join("\n", lines)));
        Map<String, Double> numbers = new TreeMap<>();
        for (String pair : line.substring(MARK.length()).split(" ", -1)) {
            String[] nameAndNumber = pair.split("=", 2);
            numbers.put(nameAndNumber[0], Double.valueOf(nameAndNumber[1]));
        }
        return new Measured(numbers);
    }

    double get(String name) {
        return Objects.requireNonNull(numbers.get(name), name);
    }

    @Override
    public String toString() {
        return numbers.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" ", MARK, ""));
    }
}
