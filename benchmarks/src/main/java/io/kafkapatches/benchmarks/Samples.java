/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.benchmarks;

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
}
