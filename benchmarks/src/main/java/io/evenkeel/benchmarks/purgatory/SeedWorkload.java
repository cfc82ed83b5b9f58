/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What do requests cost under the load that the redesign proposal measured with?
 *
 * <p>Each run has a JVM of its own, and the variants take turns. The net cost of a request is its cost minus that of
 * the same load without a purgatory, in the same round. The rate of the load without a purgatory is the ceiling.
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
        this.variants = ComparedDesigns.named(arguments.all("--variants"));
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
        Map<String, List<Optional<Measured>>> runs =
                Fork.inTurn(variants, rounds, variant -> run(variant, heap, seedCase, rate));
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
        // The design of Kafka 0.8 may need minutes for the rest of its requests.
        measured.filter(run -> run.get("lost") != 0 && ComparedDesigns.isKafka(variant))
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
        return "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                        variant,
                        spread(own, "rate", 1e-3, "%.0f"),
                        spread(own, "cpuMicros", 1, "%.2f"),
                        Samples.spreadOrDash(net, "%.2f"),
                        variant.equals(EMPTY) ? "–" : Samples.spreadOrDash(Samples.ratios(net, stock), "%.2f"),
                        spread(own, "gcMs", 1, "%.1f"),
                        spread(own, "gcs", 1, "%.1f"),
                        late(variant, own, "lateP50", 1, "%.2f"),
                        late(variant, own, "lateP99", 1, "%.1f"),
                        late(variant, own, "lateMax", 1, "%.0f"),
                        late(variant, own, "early", 100, "%.1f"),
                        spread(own, "stalledMs", 1, "%.1f"));
    }

    /** The net cost of a variant, round by round, without the rounds in which one of the two costs is missing. */
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
}
