/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What do delayed requests cost, by Apache Kafka's own {@code TestPurgatoryPerformance}?
 *
 * <p>Each run has a JVM of its own, and the variants take turns. The net cost is that of the program less what it costs
 * with an empty purgatory, in the same round.
 */
public final class KafkasProgram {
    private static final Set<String> ARGUMENTS =
            Set.of("--program", "--empty", "--rates", "--rounds", "--seconds", "--timeout-ms");
    private static final String MAIN = "org.apache.kafka.jmh.core.TestPurgatoryPerformance";
    private static final Pattern RESULT = Pattern.compile("[0-9.\\s]+");
    private static final String EMPTY = "empty";
    private static final List<Variant> VARIANTS = ComparedDesigns.named(List.of("stock", "ours", EMPTY));

    private final Arguments arguments;
    private final int seconds;

    private KafkasProgram(Arguments arguments) {
        this.arguments = arguments;
        this.seconds = arguments.number("--seconds", 8);
    }

    /** Arguments: see {@code benchmarks/kafka-purgatory --help}. */
    public static void main(String[] args) throws Exception {
        KafkasProgram program = new KafkasProgram(new Arguments(args, ARGUMENTS));
        System.out.println(Machine.describe());
        List<String> rates = program.arguments.all("--rates");
        for (String rate : rates.isEmpty() ? List.of("100000", "200000", "300000") : rates) {
            program.compare(Integer.parseInt(rate));
        }
    }

    private void compare(int rate) throws IOException, InterruptedException {
        Map<String, List<Measured>> runs =
                Fork.inTurn(VARIANTS, arguments.number("--rounds", 5), variant -> run(variant, rate));
        System.out.printf("%n%d requests/s asked for, load %s:%n%n", rate, Machine.load());
        System.out.println("| | requests/s, 1000 | CPU a request, µs | of stock's | net, of stock's | GC, ms/s |");
        System.out.println("| --- ".repeat(6) + "|");
        VARIANTS.forEach(variant -> System.out.println(row(variant.name(), runs)));
    }

    private Measured run(Variant variant, int rate) throws IOException, InterruptedException {
        List<String> command = Fork.java("1g");
        command.addAll(List.of("-cp", classPath(variant), MAIN));
        command.addAll(List.of("--num", Integer.toString(rate * seconds), "--rate", Integer.toString(rate)));
        command.addAll(List.of("--timeout", Integer.toString(arguments.number("--timeout-ms", 200))));
        command.addAll(List.of("--pct50", "20", "--pct75", "60", "--verbose", "false"));
        List<String> lines = Fork.output(command).orElseThrow(() -> new IOException("1 GB of heap is too little"));
        String result = lines.stream()
                .filter(line -> RESULT.matcher(line).matches())
                .findFirst()
                .orElseThrow(() -> new IOException("the program says no result: " + String.join("\n", lines)));
        return measured(result, rate * seconds);
    }

    private String classPath(Variant variant) {
        Path program = arguments.path("--program");
        String classPath = program + File.pathSeparator + ComparedDesigns.classPath(variant);
        return variant.name().equals(EMPTY) ? arguments.path("--empty") + File.pathSeparator + classPath : classPath;
    }

    /**
     * What the program's line of numbers says: elapsed ms, the rates asked for and reached, ms of CPU time, and for
     * each collector first the number of collections, then their ms.
     */
    private static Measured measured(String line, int requests) {
        String[] columns = line.trim().split("\\s+", -1);
        double gcMs = 0;
        for (int column = 4 + (columns.length - 4) / 2; column < columns.length; column++) {
            gcMs += Double.parseDouble(columns[column]);
        }
        double elapsedMs = Double.parseDouble(columns[0]);
        return new Measured(Map.of(
                "rate", Double.parseDouble(columns[2]),
                "cpuMicros", 1000 * Double.parseDouble(columns[3]) / requests,
                "gcMs", 1000 * gcMs / elapsedMs));
    }

    private static String row(String variant, Map<String, List<Measured>> runs) {
        List<Double> cpu = all("cpuMicros", variant, runs);
        List<Double> stock = all("cpuMicros", Variant.STOCK.name(), runs);
        List<Double> empty = all("cpuMicros", EMPTY, runs);
        List<Double> net = Samples.ratios(Samples.differences(cpu, empty), Samples.differences(stock, empty));
        List<Double> thousands =
                all("rate", variant, runs).stream().map(rate -> rate / 1000).toList();
        return "| %s | %s | %s | %s | %s | %s |"
                .formatted(
                        variant,
                        Samples.spread(thousands, "%.0f"),
                        Samples.spread(cpu, "%.2f"),
                        Samples.spread(Samples.ratios(cpu, stock), "%.2f"),
                        variant.equals(EMPTY) ? "–" : Samples.spread(net, "%.2f"),
                        Samples.spread(all("gcMs", variant, runs), "%.0f"));
    }

    private static List<Double> all(String name, String variant, Map<String, List<Measured>> runs) {
        return Objects.requireNonNull(runs.get(variant)).stream()
                .map(run -> run.get(name))
                .toList();
    }
}
