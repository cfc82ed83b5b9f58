/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.Arguments;
import io.evenkeel.benchmarks.Machine;
import io.evenkeel.benchmarks.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What do requests cost under the load that the redesign proposal measured with?
 *
 * <p>Each run is in a JVM of its own, and variants take turns. What a request costs net is what is left when the cost
 * of the same load without a purgatory, in the same round, is taken off: that one is the ceiling, too.
 */
public final class SeedWorkload {
    private static final Set<String> ARGUMENTS =
            Set.of("--variants", "--cases", "--heaps", "--rates", "--completer", "--rounds", "--warmup", "--seconds");
    private static final String EMPTY = "empty";

    private final Arguments arguments;
    private final List<Variant> variants;
    private final int rounds;

    private SeedWorkload(Arguments arguments) {
        this.arguments = arguments;
        this.variants = arguments.all("--variants").stream().map(Variant::named).toList();
        this.rounds = arguments.number("--rounds", 5);
    }

    /** Arguments: see {@code benchmarks/seed-workload --help}. */
    public static void main(String[] args) throws Exception {
        SeedWorkload workload = new SeedWorkload(new Arguments(args, ARGUMENTS));
        System.out.println(Machine.describe());
        for (String heap : workload.arguments.all("--heaps")) {
            for (String seedCase : workload.arguments.all("--cases")) {
                for (String rate : workload.arguments.all("--rates")) {
                    workload.compare(heap, seedCase, rate);
                }
            }
        }
    }

    private void compare(String heap, String seedCase, String rate) throws IOException, InterruptedException {
        Map<String, List<Optional<Measured>>> runs = new LinkedHashMap<>();
        variants.forEach(variant -> runs.put(variant.name(), new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (Variant variant : variants) {
                Objects.requireNonNull(runs.get(variant.name())).add(run(variant, heap, seedCase, rate));
            }
        }
        System.out.printf(
                "%n%s timeouts, heap %s, %s, load %s:%n%n",
                seedCase,
                heap,
                rate.equals("max") ? "as many requests as possible" : rate + " requests/s asked for",
                Machine.load());
        System.out.println("| | requests/s, 1000 | CPU a request, µs | net | net, of stock's | GC, ms/s | GCs a second "
                + "| late p50, ms | p99 | max | early, % | stalls, ms/s |");
        System.out.println("| --- ".repeat(12) + "|");
        variants.forEach(variant -> System.out.println(row(variant.name(), runs)));
    }

    private Optional<Measured> run(Variant variant, String heap, String seedCase, String rate)
            throws IOException, InterruptedException {
        List<String> given = List.of(
                "--case",
                seedCase,
                "--rate",
                rate.equals("max") ? "0" : rate,
                "--completer",
                arguments.text("--completer"),
                "--warmup",
                arguments.text("--warmup"),
                "--seconds",
                arguments.text("--seconds"));
        Optional<Measured> measured = Fork.run(variant, heap, SeedRun.class, given);
        // What 0.8's design has left to do may take it minutes.
        measured.filter(run -> run.get("lost") != 0 && variant.design().equals("kafka"))
                .ifPresent(run -> {
                    throw new IllegalStateException(
                            variant.name() + ": requests neither completed nor expired: " + run);
                });
        return measured;
    }

    private static String row(String variant, Map<String, List<Optional<Measured>>> runs) {
        List<Optional<Measured>> own = Objects.requireNonNull(runs.get(variant));
        if (own.stream().anyMatch(Optional::isEmpty)) {
            long failed = own.stream().filter(Optional::isEmpty).count();
            return "| %s | out of memory, %d of %d runs |".formatted(variant, failed, own.size());
        }
        List<Double> net = net(variant, runs);
        List<Double> stock = net(Variant.STOCK.name(), runs);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(net.size(), stock.size()); round++) {
            ratios.add(net.get(round) / stock.get(round));
        }
        return "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                        variant,
                        spread(own, "rate", 1e-3, "%.0f"),
                        spread(own, "cpuMicros", 1, "%.2f"),
                        spread(net),
                        variant.equals(EMPTY) ? "–" : spread(ratios),
                        spread(own, "gcMs", 1, "%.1f"),
                        spread(own, "gcs", 1, "%.1f"),
                        late(variant, own, "lateP50", 1, "%.2f"),
                        late(variant, own, "lateP99", 1, "%.1f"),
                        late(variant, own, "lateMax", 1, "%.0f"),
                        late(variant, own, "early", 100, "%.1f"),
                        spread(own, "stalledMs", 1, "%.1f"));
    }

    /** A variant's cost net of the load's own, round by round; none when either is missing. */
    private static List<Double> net(String variant, Map<String, List<Optional<Measured>>> runs) {
        List<Optional<Measured>> own = runs.getOrDefault(variant, List.of());
        List<Optional<Measured>> empty = runs.getOrDefault(EMPTY, List.of());
        List<Double> net = new ArrayList<>();
        for (int round = 0; round < Math.min(own.size(), empty.size()); round++) {
            if (own.get(round).isPresent() && empty.get(round).isPresent()) {
                net.add(own.get(round).get().get("cpuMicros")
                        - empty.get(round).get().get("cpuMicros"));
            }
        }
        return net;
    }

    private static String late(
            String variant, List<Optional<Measured>> runs, String name, double scale, String format) {
        return variant.equals(EMPTY) ? "–" : spread(runs, name, scale, format);
    }

    private static String spread(List<Optional<Measured>> runs, String name, double scale, String format) {
        return Samples.spread(
                runs.stream().map(run -> scale * run.orElseThrow().get(name)).toList(), format);
    }

    private static String spread(List<Double> values) {
        return values.isEmpty() ? "–" : Samples.spread(values, "%.2f");
    }
}
