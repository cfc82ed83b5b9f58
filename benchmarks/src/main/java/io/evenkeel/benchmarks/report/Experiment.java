/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question, the benchmark that answers it, and what its figures do not show. Immutable.
 *
 * @param name as on the command line, and the name of its results
 * @param commands the benchmark below {@code benchmarks/} and its arguments
 * @param quickMinutes how long the quick run takes on two processors, about
 * @param picture an SVG that the benchmark writes, or empty
 * @param measured the quantities, in groups that share a chart
 */
record Experiment(
        String name,
        String question,
        String setUp,
        String doesNotShow,
        Map<Size, List<String>> commands,
        double quickMinutes,
        String picture,
        List<Group> measured,
        List<Ratio> ratios) {

    /** The bars of one chart. Immutable. */
    record Group(String title, String unit, List<Bar> bars) {}

    /**
     * A quantity with its label. Immutable.
     *
     * @param onlyInFull whether the shorter runs leave it out
     */
    record Bar(String label, Reading reading, boolean onlyInFull) {}

    /**
     * How many times as large one quantity is as the other, round by round. Immutable.
     *
     * @param below null where the benchmark prints the ratio itself, as {@code above}
     */
    record Ratio(String title, Reading above, @Nullable Reading below) {}

    List<String> command(Size size) {
        return Objects.requireNonNull(commands.get(size));
    }

    static Builder named(String name, String question) {
        return new Builder(name, question);
    }

    /** Collects the parts of an experiment. One thread uses it. */
    static final class Builder {
        private final String name;
        private final String question;
        private String setUp = "";
        private String doesNotShow = "";
        private Map<Size, List<String>> commands = Map.of();
        private double quickMinutes;
        private String picture = "";
        private final List<Group> groups = new ArrayList<>();
        private final List<Ratio> ratios = new ArrayList<>();

        private Builder(String name, String question) {
            this.name = name;
            this.question = question;
        }

        Builder setUp(String text) {
            setUp = oneLine(text);
            return this;
        }

        Builder doesNotShow(String text) {
            doesNotShow = oneLine(text);
            return this;
        }

        private static String oneLine(String text) {
            return text.strip().replaceAll("\\s+", " ");
        }

        /** The benchmark, and its arguments in each size. */
        Builder runs(String benchmark, double minutes, String smoke, String quick, String full) {
            Function<String, List<String>> command =
                    arguments -> Stream.concat(Stream.of(benchmark), Arrays.stream(arguments.split(" ", -1)))
                            .filter(word -> !word.isEmpty())
                            .toList();
            commands = Stream.of(Size.values())
                    .collect(Collectors.toUnmodifiableMap(
                            size -> size,
                            size -> command.apply(
                                    switch (size) {
                                        case SMOKE -> smoke;
                                        case QUICK -> quick;
                                        case FULL -> full;
                                    })));
            quickMinutes = minutes;
            return this;
        }

        /** An SVG that the benchmark writes, seen from the root of the sources. */
        Builder picture(String file) {
            picture = file;
            return this;
        }

        Builder chart(String title, String unit, Bar... bars) {
            groups.add(new Group(title, unit, List.of(bars)));
            return this;
        }

        Builder ratio(String title, Reading above, @Nullable Reading below) {
            ratios.add(new Ratio(title, above, below));
            return this;
        }

        Experiment build() {
            return new Experiment(
                    name,
                    question,
                    setUp,
                    doesNotShow,
                    commands,
                    quickMinutes,
                    picture,
                    List.copyOf(groups),
                    List.copyOf(ratios));
        }
    }

    /** A quantity in the rows that fit a regular expression; see {@link Reading}. */
    static Bar bar(String label, String row, String column, int part) {
        return new Bar(label, new Reading(row, column, part), false);
    }

    /** The same for a variant that only the full run has the time for. */
    static Bar fullBar(String label, String row, String column, int part) {
        return new Bar(label, new Reading(row, column, part), true);
    }
}
