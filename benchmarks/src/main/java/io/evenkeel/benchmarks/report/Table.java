/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A Markdown table, as the benchmarks print their figures. Immutable.
 *
 * @param caption the last line of text before it, or empty
 */
record Table(String caption, List<String> columns, List<List<String>> rows) {
    private static final String RULE = "[|\\s:-]+";

    /** All tables of a text, in its order. A table begins with the line above a line of dashes. */
    static List<Table> parse(String text) {
        List<Table> tables = new ArrayList<>();
        List<String> lines = text.lines().map(String::trim).toList();
        String caption = "";
        for (int i = 1; i < lines.size(); i++) {
            String before = lines.get(i - 1);
            caption = before.isEmpty() || isRow(before) ? caption : before;
            if (lines.get(i).startsWith("|") && lines.get(i).matches(RULE) && isRow(before)) {
                List<List<String>> rows = lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(Table::isRow)
                        .map(Table::cells)
                        .toList();
                tables.add(new Table(caption, cells(before), rows));
            }
        }
        return tables;
    }

    private static boolean isRow(String line) {
        return line.startsWith("|");
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1).split("\\|", -1))
                .map(String::trim)
                .toList();
    }

    /** The first column whose title contains a text, or -1. */
    int column(String title) {
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).contains(title))
                .findFirst()
                .orElse(-1);
    }
}
