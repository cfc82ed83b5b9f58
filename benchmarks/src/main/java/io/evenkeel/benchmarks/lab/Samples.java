/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/** Summaries of several measurements of the same quantity. Stateless. */
public final class Samples {
    private Samples() {}

    /**
     * The value in the middle, or the mean of the two values in the middle.
     *
     * @throws IllegalArgumentException when there are no values
     */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Round by round, {@code above / below}; one variant may have had fewer rounds than the other. */
    public static List<Double> ratios(List<Double> above, List<Double> below) {
        return perRound(above, below, (one, other) -> one / other);
    }

    /** Round by round, {@code from - less}; one variant may have had fewer rounds than the other. */
    public static List<Double> differences(List<Double> from, List<Double> less) {
        return perRound(from, less, (one, other) -> one - other);
    }

    /** Round by round, what the operator makes of two; one variant may have had fewer rounds than the other. */
    public static <T> List<T> perRound(List<T> ones, List<T> others, BinaryOperator<T> operator) {
        return IntStream.range(0, Math.min(ones.size(), others.size()))
                .mapToObj(round -> operator.apply(ones.get(round), others.get(round)))
                .toList();
    }

    /** The median, and in brackets the least and the most when there are several; {@code format} is for one number. */
    public static String spread(List<Double> values, String format) {
        if (values.size() == 1) {
            return String.format(format, values.get(0));
        }
        double least = values.stream().min(Double::compare).orElseThrow();
        double most = values.stream().max(Double::compare).orElseThrow();
        return String.format(format + " (" + format + " to " + format + ")", median(values), least, most);
    }

    /**
     * The median, and in brackets the middle half of the values: for many short slices, of which some are disturbed.
     */
    public static String middleHalf(List<Double> values, String format) {
        if (values.size() == 1) {
            return String.format(format, values.get(0));
        }
        List<Double> sorted = values.stream().sorted().toList();
        int quarter = sorted.size() / 4;
        return String.format(
                format + " (" + format + " to " + format + ")",
                median(values),
                sorted.get(quarter),
                sorted.get(sorted.size() - 1 - quarter));
    }

    /** The spread, or a dash when there are no values. */
    public static String spreadOrDash(List<Double> values, String format) {
        return values.isEmpty() ? "–" : spread(values, format);
    }
}
