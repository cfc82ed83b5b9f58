/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.List;

/**
 * What an experiment gave: its raw output, the figures read from it, and where it ran. Immutable; written as JSON.
 *
 * @param failure why there are no figures, or empty
 * @param picture an SVG that the benchmark drew, or empty
 * @param noise why the figures deserve less trust; empty for a quiet run
 */
record Result(
        String experiment,
        String size,
        String command,
        String began,
        double minutes,
        MachineFacts machine,
        String failure,
        List<String> noise,
        List<Measured> measured,
        List<MeasuredRatio> ratios,
        String picture,
        List<String> output) {

    /** A chart's figures. Immutable. */
    record Measured(String title, String unit, List<Value> values) {}

    /** A figure and all its samples, in the order of the rounds. Immutable. */
    record Value(String label, Spread spread, List<Double> samples) {}

    /** The ratio of two figures, round by round. Immutable. */
    record MeasuredRatio(String title, Spread spread) {}
}
