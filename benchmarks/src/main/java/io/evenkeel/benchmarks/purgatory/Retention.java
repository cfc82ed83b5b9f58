/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * How much memory does a purgatory keep for requests that are completed?
 *
 * <p>Many requests wait under the same keys. Then the benchmark completes all of them directly, as a broker does when a
 * connection ends or an append satisfies them, and lets no other request arrive.
 */
public final class Retention {
    private static final Set<String> ARGUMENTS = Set.of("--variants", "--requests", "--keys", "--rounds", "--settle");
    /** Large enough for stock's entries of completed requests. */
    private static final String HEAP = "3g";

    private static final Map<String, String> ROWS = rows();

    private Retention() {}

    private static Map<String, String> rows() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("waitingWatched", "watched while all wait");
        rows.put("waitingMb", "heap while all wait, MB");
        rows.put("completeMs", "CPU time of completing all of them, ms");
        rows.put("watched", "watched right after");
        rows.put("heapMb", "heap right after, MB");
        rows.put("settledWatched", "watched later, without traffic");
        rows.put("settledMb", "heap later, without traffic, MB");
        return rows;
    }

    /** Arguments: see {@code benchmarks/retention --help}. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        List<Variant> variants = ComparedDesigns.named(arguments.all("--variants"));
        List<String> given = new ArrayList<>();
        for (String name : List.of("--requests", "--keys", "--settle")) {
            given.addAll(List.of(name, arguments.text(name)));
        }
        Map<String, List<Measured>> runs = Fork.inTurn(
                variants,
                arguments.number("--rounds", 5),
                variant -> Fork.run(variant, HEAP, RetentionRun.class, given).orElseThrow());
        System.out.printf(
                "%s; %s requests under %s keys, median (least to most)%n%n",
                Machine.describe(), arguments.text("--requests"), arguments.text("--keys"));
        System.out.println(
                "| | " + String.join(" | ", runs.keySet()) + " |\n" + "| --- ".repeat(1 + runs.size()) + "|");
        ROWS.forEach((name, title) -> System.out.println(row(title, name, runs)));
    }

    private static String row(String title, String name, Map<String, List<Measured>> runs) {
        StringBuilder row = new StringBuilder("| " + title);
        for (String variant : runs.keySet()) {
            List<Double> values = Objects.requireNonNull(runs.get(variant)).stream()
                    .map(run -> run.get(name))
                    .toList();
            row.append(" | ").append(Samples.spread(values, "%.0f"));
        }
        return row.append(" |").toString();
    }
}
