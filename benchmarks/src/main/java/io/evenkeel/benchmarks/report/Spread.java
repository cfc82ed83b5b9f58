/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.lab.Samples;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A quantity that was measured several times: its median, its least and its most. Immutable. */
record Spread(double median, double least, double most, int samples) {
    private static final String NUMBER = "(-?[\\d,]*\\.?\\d+)";
    private static final Pattern CELL =
            Pattern.compile("[^\\d-]*" + NUMBER + "(?: \\(" + NUMBER + " to " + NUMBER + "\\))?.*");

    static Spread of(double value) {
        return new Spread(value, value, value, 1);
    }

    /**
     * The median of the medians, and the extremes of all.
     *
     * @throws IllegalArgumentException when there are none
     */
    static Spread of(List<Spread> parts) {
        return new Spread(
                Samples.median(parts.stream().map(Spread::median).toList()),
                parts.stream().mapToDouble(Spread::least).min().orElseThrow(),
                parts.stream().mapToDouble(Spread::most).max().orElseThrow(),
                parts.stream().mapToInt(Spread::samples).sum());
    }

    /** How many times as large this is as another: of the medians, and between the extremes that they allow. */
    Spread over(Spread other) {
        return new Spread(
                median / other.median, least / other.most, most / other.least, Math.min(samples, other.samples));
    }

    /** Reads {@code 8.5}, {@code median 8.5} or {@code 8.5 (8.1 to 9.0)}; nothing when there is no number. */
    static Optional<Spread> parse(String cell) {
        Matcher matcher = CELL.matcher(cell);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double median = number(matcher.group(1));
        return Optional.of(
                matcher.group(2) == null
                        ? of(median)
                        : new Spread(median, number(matcher.group(2)), number(matcher.group(3)), 2));
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    /** How far the extremes are apart, as a part of the median. */
    double relative() {
        return most == least ? 0 : (most - least) / Math.abs(median);
    }
}
