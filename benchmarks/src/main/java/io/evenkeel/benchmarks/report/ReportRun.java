/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.lab.ProcessorTime;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.report.Experiment.Bar;
import io.evenkeel.benchmarks.report.Experiment.Group;
import io.evenkeel.benchmarks.report.Experiment.Ratio;
import io.evenkeel.benchmarks.report.Result.Measured;
import io.evenkeel.benchmarks.report.Result.MeasuredRatio;
import io.evenkeel.benchmarks.report.Result.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs an experiment's benchmark and reads its figures. Stateless. */
final class ReportRun {
    private static final int LOOK_SECONDS = 2;

    private ReportRun() {}

    static Result of(Experiment experiment, Size size) throws IOException, InterruptedException {
        List<String> command = experiment.command(size);
        ProcessorTime before = ProcessorTime.now();
        TimeUnit.SECONDS.sleep(LOOK_SECONDS);
        ProcessorTime start = ProcessorTime.now();
        Instant began = Instant.now();
        long startNanos = System.nanoTime();
        Process process = new ProcessBuilder(under(command))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        double minutes = (System.nanoTime() - startNanos) / 60e9;
        double stolen = ProcessorTime.now().stolenSince(start);
        Figures figures = Figures.read(experiment, size, Table.parse(output));
        return new Result(
                experiment.name(),
                size.toString(),
                "benchmarks/" + String.join(" ", command),
                began.truncatedTo(ChronoUnit.SECONDS).toString(),
                minutes,
                MachineFacts.now(),
                exit == 0 ? figures.missing() : "The benchmark ended with exit code " + exit + ".",
                size == Size.SMOKE
                        ? List.of("A smoke run: its figures mean nothing.")
                        : Noise.of(start.busySince(before), stolen, figures.ratios()),
                figures.measured(),
                figures.ratios(),
                exit == 0 ? picture(experiment) : "",
                output.lines().toList());
    }

    private static String picture(Experiment experiment) throws IOException {
        Path file = Path.of(experiment.picture());
        return Files.isRegularFile(file) ? Files.readString(file) : "";
    }

    private static List<String> under(List<String> command) {
        List<String> words = new ArrayList<>(command);
        words.set(0, Path.of("benchmarks", command.get(0)).toString());
        return words;
    }

    /**
     * What was found in the tables of a benchmark. Immutable.
     *
     * @param missing what was not found, or empty
     */
    record Figures(List<Measured> measured, List<MeasuredRatio> ratios, String missing) {
        static Figures read(Experiment experiment, Size size, List<Table> tables) {
            List<Measured> measured = experiment.measured().stream()
                    .map(group -> read(group, tables))
                    .filter(group -> !group.values().isEmpty())
                    .toList();
            List<MeasuredRatio> ratios = experiment.ratios().stream()
                    .flatMap(ratio -> read(ratio, tables).stream())
                    .toList();
            return new Figures(measured, ratios, missing(experiment, size, measured));
        }

        private static String missing(Experiment experiment, Size size, List<Measured> measured) {
            Set<String> found = measured.stream()
                    .flatMap(group -> group.values().stream().map(value -> name(group.title(), value.label())))
                    .collect(Collectors.toSet());
            List<String> missing = experiment.measured().stream()
                    .flatMap(group -> group.bars().stream()
                            .filter(bar -> size == Size.FULL || !bar.onlyInFull())
                            .map(bar -> name(group.title(), bar.label())))
                    .filter(name -> !found.contains(name))
                    .toList();
            return missing.isEmpty() ? "" : "The benchmark printed no figure for " + String.join("; ", missing) + ".";
        }

        private static String name(String group, String bar) {
            return group + ", " + bar;
        }

        private static Measured read(Group group, List<Table> tables) {
            List<Value> values = new ArrayList<>();
            for (Bar bar : group.bars()) {
                List<Spread> samples = bar.reading().values(tables);
                if (!samples.isEmpty()) {
                    values.add(new Value(
                            bar.label(),
                            Spread.of(samples),
                            samples.stream().map(Spread::median).toList()));
                }
            }
            return new Measured(group.title(), group.unit(), values);
        }

        private static List<MeasuredRatio> read(Ratio ratio, List<Table> tables) {
            List<Spread> above = ratio.above().values(tables);
            Reading below = ratio.below();
            List<Spread> rounds = below == null ? above : Samples.perRound(above, below.values(tables), Spread::over);
            return rounds.isEmpty() ? List.of() : List.of(new MeasuredRatio(ratio.title(), Spread.of(rounds)));
        }
    }
}
