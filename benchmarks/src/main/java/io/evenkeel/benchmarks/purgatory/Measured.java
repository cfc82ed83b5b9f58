/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The measurements of one run: numbers by name, which a fork prints as one line. Immutable. */
record Measured(Map<String, Double> numbers) {
    private static final String PREFIX = "measured ";

    Measured {
        numbers = Map.copyOf(numbers);
    }

    /** @throws IllegalArgumentException when none of the lines has measurements */
    static Measured parse(List<String> lines) {
        String line = lines.stream()
                .filter(each -> each.startsWith(PREFIX))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing was measured: " + String.join("\n", lines)));
        Map<String, Double> numbers = new TreeMap<>();
        for (String pair : line.substring(PREFIX.length()).split(" ", -1)) {
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
                .collect(Collectors.joining(" ", PREFIX, ""));
    }
}
