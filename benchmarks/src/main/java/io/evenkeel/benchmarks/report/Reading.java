/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a quantity is in the tables of a benchmark. Immutable.
 *
 * @param row a regular expression that is found in the row with the table's caption behind it, of which bars separate
 *     the cells
 * @param column a part of the column's title
 * @param part which of the numbers that slashes separate, from 0
 */
record Reading(String row, String column, int part) {
    /** One value for each row that fits: benchmarks print a row for each round, or one with medians. */
    List<Spread> values(List<Table> tables) {
        Pattern wanted = Pattern.compile(row);
        return tables.stream()
                .filter(table -> table.column(column) >= 0)
                .flatMap(table -> table.rows().stream()
                        .filter(cells -> wanted.matcher(line(cells, table)).find())
                        .flatMap(cells -> value(cells, table.column(column)).stream()))
                .toList();
    }

    private static String line(List<String> cells, Table table) {
        return String.join(" | ", cells) + " | " + table.caption();
    }

    private Optional<Spread> value(List<String> cells, int index) {
        return Stream.of(index)
                .filter(i -> i < cells.size())
                .map(i -> cells.get(i).split(" / ", -1))
                .filter(parts -> part < parts.length)
                .findFirst()
                .flatMap(parts -> Spread.parse(parts[part]));
    }
}
