/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs experiments and makes their report. Arguments: see {@code benchmarks/report --help}. */
public final class Report {
    private final ReportOptions options;
    private final Results results;

    private Report(ReportOptions options) {
        this.options = options;
        this.results = new Results(options.out());
    }

    /** Exits with 1 when an experiment failed. */
    public static void main(String[] args) throws Exception {
        ReportOptions options = ReportOptions.parse(List.of(args));
        if (options.onlyLists()) {
            System.out.print(list(Experiments.ALL));
            return;
        }
        boolean passed = new Report(options).run();
        System.exit(passed ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        List<String> failed = new ArrayList<>();
        for (Experiment experiment : options.experiments()) {
            System.err.printf(
                    "%n=== %s: %s%n", experiment.name(), String.join(" ", experiment.command(options.size())));
            Result result = ReportRun.of(experiment, options.size());
            results.write(result);
            writePage();
            System.err.println(summary(result));
            if (!result.failure().isEmpty()) {
                failed.add(experiment.name());
            }
        }
        writePage();
        System.out.println("The report: " + options.out().resolve("report.html"));
        if (options.against() != null) {
            System.out.print(Comparison.text(comparedWith(new Results(options.against()))));
        }
        if (!failed.isEmpty()) {
            System.out.println("Failed: " + String.join(", ", failed));
        }
        return failed.isEmpty();
    }

    /** The page shows the last result of each experiment, whenever it was measured. */
    private void writePage() throws IOException {
        Map<String, Result> all = new LinkedHashMap<>();
        for (Experiment experiment : Experiments.ALL) {
            results.read(experiment.name()).ifPresent(result -> all.put(experiment.name(), result));
        }
        Files.createDirectories(options.out());
        Files.writeString(options.out().resolve("report.html"), Page.of(Experiments.ALL, all));
        for (Result result : all.values()) {
            for (int i = 0; i < result.measured().size(); i++) {
                Files.writeString(
                        options.out().resolve("%s-%d.svg".formatted(result.experiment(), i + 1)),
                        BarChart.of(result.measured().get(i)));
            }
        }
    }

    /** The ratios of the experiments that both directories have. */
    private List<Comparison> comparedWith(Results others) throws IOException {
        List<Comparison> all = new ArrayList<>();
        for (Experiment experiment : Experiments.ALL) {
            Optional<Result> here = results.read(experiment.name());
            Optional<Result> there = others.read(experiment.name());
            if (here.isPresent() && there.isPresent()) {
                all.addAll(Comparison.of(here.get(), there.get()));
            }
        }
        return all;
    }

    private static String summary(Result result) {
        StringBuilder summary = new StringBuilder();
        result.ratios()
                .forEach(ratio -> summary.append("%s: %s%n".formatted(ratio.title(), Html.spread(ratio.spread()))));
        result.noise().forEach(noise -> summary.append("noisy: ").append(noise).append('\n'));
        if (!result.failure().isEmpty()) {
            summary.append("FAILED: ").append(result.failure()).append('\n');
        }
        return summary.append("%.1f minutes".formatted(result.minutes())).toString();
    }

    static String list(List<Experiment> experiments) {
        double minutes =
                experiments.stream().mapToDouble(Experiment::quickMinutes).sum();
        return experiments.stream()
                        .map(experiment -> "%-16s %5.1f  %s%n"
                                .formatted(experiment.name(), experiment.quickMinutes(), experiment.question()))
                        .collect(Collectors.joining())
                + "%-16s %5.1f  minutes of --quick%n".formatted("all", minutes);
    }

    /**
     * The command line. Immutable.
     *
     * @param onlyLists whether only the experiments are wanted, not their results
     * @param against a directory of results to compare with, or null
     */
    record ReportOptions(
            Size size,
            List<Experiment> experiments,
            boolean onlyLists,
            Path out,
            @Nullable Path against) {
        private static final Set<String> KNOWN =
                Set.of("--quick", "--smoke", "--list", "--page", "--only", "--out", "--against");
        private static final Set<String> WITH_VALUES = Set.of("--only", "--out", "--against");

        /** @throws IllegalArgumentException when an argument or an experiment is unknown */
        static ReportOptions parse(List<String> args) {
            Size size = Size.FULL;
            boolean lists = false;
            List<Experiment> experiments = Experiments.ALL;
            Path out = Path.of("benchmarks", "target", "report");
            Path against = null;
            for (int i = 0; i < args.size(); i++) {
                List<String> values = args.subList(i + 1, args.size()).stream()
                        .takeWhile(value -> !value.startsWith("--"))
                        .toList();
                switch (args.get(i)) {
                    case "--quick" -> size = Size.QUICK;
                    case "--smoke" -> size = Size.SMOKE;
                    case "--list" -> lists = true;
                    case "--page" -> experiments = List.of();
                    case "--only" -> experiments = Experiments.named(values);
                    case "--out" -> out = Path.of(values.get(0));
                    case "--against" -> against = Path.of(values.get(0));
                    default ->
                        throw new IllegalArgumentException("unknown argument: " + args.get(i) + ", known: " + KNOWN);
                }
                i += WITH_VALUES.contains(args.get(i)) ? values.size() : 0;
            }
            return new ReportOptions(
                    size, experiments, lists, out.toAbsolutePath().normalize(), against);
        }
    }
}
