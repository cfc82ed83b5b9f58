/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks;

import java.util.List;

/** What several measurements of the same thing come to. Stateless. */
public final class Samples {
    private Samples() {}

    /**
     * The value in the middle, or the mean of the two there.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
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
}
