/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the JMH benchmarks of this package with all variants in turn: each round has a fork for each variant. The ratio
 * to stock is the median of the ratios of all rounds. If {@value #FLOOR} takes part, there is also a net ratio: of the
 * times less those of {@value #FLOOR}.
 */
public final class Comparison {
    private static final Set<String> ARGUMENTS = Set.of(
            "--benchmarks", "--variants", "--threads", "--pending", "--keys", "--rounds", "--warmup", "--seconds");
    private static final List<Class<?>> BENCHMARKS =
            List.of(TimerBenchmark.class, ReusedTaskBenchmark.class, PurgatoryBenchmark.class, HotKeyBenchmark.class);
    /** Agrona's wheel can take part with one thread only. */
    private static final int ONE_THREAD = 1;

    private static final String FLOOR = "empty";

    private final Arguments arguments;
    private final List<Variant> variants;
    /** By benchmark with its parameters and number of threads, and by variant. */
    private final Map<String, Map<String, Scores>> scores = new TreeMap<>();

    /** The measurements of all rounds of one variant. */
    private record Scores(List<Double> nanos, List<Double> bytes) {
        Scores() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private Comparison(Arguments arguments) {
        this.arguments = arguments;
        this.variants = ComparedDesigns.named(arguments.all("--variants"));
    }

    /** Arguments: see {@code benchmarks/purgatory --help}. */
    public static void main(String[] args) throws RunnerException {
        Comparison comparison = new Comparison(new Arguments(args, ARGUMENTS));
        int rounds = comparison.arguments.number("--rounds", 5);
        for (String threads : comparison.arguments.all("--threads")) {
            for (int round = 0; round < rounds; round++) {
                for (Variant variant : comparison.variants) {
                    comparison.fork(variant, Integer.parseInt(threads));
                }
                System.err.printf("%s threads: round %d of %d is over%n", threads, round + 1, rounds);
            }
        }
        if (comparison.scores.isEmpty()) {
            throw new IllegalArgumentException(
                    "no benchmark has a method with such a name: " + comparison.arguments.text("--benchmarks"));
        }
        comparison.print(rounds);
    }

    private void fork(Variant variant, int threads) throws RunnerException {
        if (variant.name().equals("agrona") && threads > ONE_THREAD) {
            return;
        }
        // JMH starts its forks with the class path of this property.
        System.setProperty("java.class.path", ComparedDesigns.classPath(variant));
        for (Class<?> benchmark : BENCHMARKS) {
            if (ComparedDesigns.isOf(benchmark, variant) && isWanted(benchmark)) {
                new Runner(options(benchmark, variant, threads).build())
                        .run()
                        .forEach(run -> add(run, variant, threads));
            }
        }
    }

    /** Whether the class has one of the wanted methods; JMH fails when it has none. */
    private boolean isWanted(Class<?> benchmark) {
        Predicate<String> wanted =
                Pattern.compile(arguments.text("--benchmarks")).asPredicate();
        return Arrays.stream(benchmark.getMethods())
                .anyMatch(method -> method.isAnnotationPresent(Benchmark.class) && wanted.test(method.getName()));
    }

    private ChainedOptionsBuilder options(Class<?> benchmark, Variant variant, int threads) {
        TimeValue iteration = TimeValue.milliseconds(arguments.number("--seconds", 4) * 250L);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName() + "\\..*(" + arguments.text("--benchmarks") + ")")
                .param("design", ComparedDesigns.design(variant))
                .threads(threads)
                .forks(1)
                .warmupIterations(arguments.number("--warmup", 6))
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(4)
                .measurementTime(iteration)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (arguments.has("--pending") && benchmark == TimerBenchmark.class) {
            options.param("pending", arguments.all("--pending").toArray(new String[0]));
        }
        if (arguments.has("--keys") && benchmark == PurgatoryBenchmark.class) {
            options.param("keys", arguments.all("--keys").toArray(new String[0]));
        }
        return options;
    }

    private void add(RunResult run, Variant variant, int threads) {
        String benchmark = run.getParams().getBenchmark();
        Collection<String> names = run.getParams().getParamsKeys();
        String parameters = names.stream()
                .filter(name -> !name.equals("design"))
                .map(name -> ", %s %s".formatted(run.getParams().getParam(name), name))
                .collect(Collectors.joining());
        String question = "%s%s | %d"
                .formatted(benchmark.substring(Comparison.class.getPackageName().length() + 1), parameters, threads);
        Scores own = scores.computeIfAbsent(question, any -> new TreeMap<>())
                .computeIfAbsent(variant.name(), any -> new Scores());
        own.nanos().add(run.getPrimaryResult().getScore());
        Result<?> bytes = Objects.requireNonNull(run.getSecondaryResults().get("gc.alloc.rate.norm"));
        own.bytes().add(bytes.getScore());
    }

    private void print(int rounds) {
        System.out.printf("%s; %d forks each, in turn: median (least to most)%n%n", Machine.describe(), rounds);
        System.out.println("| | threads | | ns an operation | of stock's | net | bytes an operation |");
        System.out.println("| --- ".repeat(7) + "|");
        scores.forEach((question, byVariant) -> variants.stream()
                .filter(variant -> byVariant.containsKey(variant.name()))
                .forEach(variant -> System.out.println(row(question, variant.name(), byVariant))));
    }

    private static String row(String question, String variant, Map<String, Scores> byVariant) {
        Scores own = Objects.requireNonNull(byVariant.get(variant));
        Scores stock = byVariant.getOrDefault(Variant.STOCK.name(), new Scores());
        Scores floor = byVariant.getOrDefault(FLOOR, new Scores());
        List<Double> net = Samples.differences(own.nanos(), floor.nanos());
        List<Double> stockNet = Samples.differences(stock.nanos(), floor.nanos());
        return "| %s | %s | %s | %s | %s | %.0f |"
                .formatted(
                        question,
                        variant,
                        Samples.spread(own.nanos(), "%.0f"),
                        Samples.spreadOrDash(Samples.ratios(own.nanos(), stock.nanos()), "%.2f"),
                        Samples.spreadOrDash(Samples.ratios(net, stockNet), "%.2f"),
                        Samples.median(own.bytes()));
    }
}
