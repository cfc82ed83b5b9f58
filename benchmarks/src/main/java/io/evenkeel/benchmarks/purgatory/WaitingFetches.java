/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.Arguments;
import io.evenkeel.benchmarks.Machine;
import io.evenkeel.benchmarks.Samples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * What do fetches that wait cost a real broker?
 *
 * <p>A stock and a patched broker run side by side and take turns under load. First many consumers wait at the ends of
 * some partitions into which records trickle; then producers wait for a follower that fetches many partitions at once,
 * each of its fetches waiting under all of them. The follower is stock for both.
 */
public final class WaitingFetches {
    private static final Set<String> ARGUMENTS = Set.of(
            "--dir",
            "--consumers",
            "--partitions",
            "--wait-ms",
            "--records",
            "--followed",
            "--rounds",
            "--warmup",
            "--seconds");
    private static final String CONSUMED = "consumed";
    private static final String FOLLOWED = "followed";

    private final Arguments arguments;
    private final List<FetchedCluster> clusters;

    private WaitingFetches(Arguments arguments) {
        this.arguments = arguments;
        Path dir = arguments.path("--dir");
        this.clusters = List.of(
                new FetchedCluster("stock", dir.resolve("stock"), false),
                new FetchedCluster("patched", dir.resolve("patched"), true));
    }

    /** A load, from its begin to its end on one cluster. */
    private interface Load {
        Measured on(FetchedCluster cluster) throws Exception;
    }

    /** Arguments: see {@code benchmarks/waiting-fetches --help}. */
    public static void main(String[] args) throws Exception {
        WaitingFetches benchmark = new WaitingFetches(new Arguments(args, ARGUMENTS));
        try {
            benchmark.run();
        } finally {
            benchmark.clusters.forEach(FetchedCluster::close);
        }
    }

    private void run() throws Exception {
        for (FetchedCluster cluster : clusters) {
            cluster.start();
            cluster.create(CONSUMED, partitions(), false);
        }
        System.out.println(Machine.describe());
        System.out.printf(
                "%n%d consumers, waiting up to %d ms at the ends of %d partitions; %d records/s; an operation is an answer:%n%n",
                consumers(), waitMs(), partitions(), records());
        compare(this::consumers);
        // Not before, as a follower fetches whether there is something or not.
        for (FetchedCluster cluster : clusters) {
            cluster.create(FOLLOWED, followed(), true);
        }
        System.out.printf(
                "%nA follower of %d partitions; %d records/s; an operation is a record, acknowledged by both:%n%n",
                followed(), records());
        compare(this::follower);
    }

    private int consumers() {
        return arguments.number("--consumers", 5000);
    }

    private int partitions() {
        return arguments.number("--partitions", 100);
    }

    private int waitMs() {
        return arguments.number("--wait-ms", 500);
    }

    private int records() {
        return arguments.number("--records", 100);
    }

    private int followed() {
        return arguments.number("--followed", 2000);
    }

    private Measured consumers(FetchedCluster cluster) throws Exception {
        try (LongPolls polls = new LongPolls(
                        cluster.leaderPort(), consumers(), cluster.ends(CONSUMED, partitions()), waitMs());
                PacedProducer producer = new PacedProducer(cluster.client(), CONSUMED, partitions(), records())) {
            producer.start();
            return measure(cluster, polls.received(), polls::answers);
        }
    }

    private Measured follower(FetchedCluster cluster) throws Exception {
        try (PacedProducer producer = new PacedProducer(cluster.client(), FOLLOWED, followed(), records())) {
            producer.start();
            Latencies acknowledged = producer.acknowledged();
            return measure(cluster, acknowledged, acknowledged::count);
        }
    }

    private Measured measure(FetchedCluster cluster, Latencies latencies, LongSupplier operations)
            throws InterruptedException {
        TimeUnit.SECONDS.sleep(arguments.number("--warmup", 10));
        latencies.count(true);
        Duration cpuBefore = cluster.leaderCpu();
        long operationsBefore = operations.getAsLong();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(arguments.number("--seconds", 30));
        double seconds = (System.nanoTime() - start) / 1e9;
        double done = operations.getAsLong() - operationsBefore;
        double cpuMicros = cluster.leaderCpu().minus(cpuBefore).toNanos() / 1e3;
        latencies.count(false);
        return new Measured(Map.of(
                "rate", done / seconds,
                "cpu", cpuMicros / 1e6 / seconds,
                "cpuMicros", cpuMicros / done,
                "p50", latencies.percentile(50),
                "p99", latencies.percentile(99)));
    }

    /** Both clusters in turn, whose order is another one each round. */
    private void compare(Load load) throws Exception {
        List<List<Measured>> runs = List.of(new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round < arguments.number("--rounds", 5); round++) {
            for (int turn = 0; turn < clusters.size(); turn++) {
                int variant = (round + turn) % clusters.size();
                runs.get(variant).add(load.on(clusters.get(variant)));
            }
        }
        System.out.println("| | operations/s | broker's CPUs | CPU an operation, µs | latency p50, ms | p99 |");
        System.out.println("| --- ".repeat(6) + "|");
        for (int variant = 0; variant < clusters.size(); variant++) {
            List<Measured> own = runs.get(variant);
            System.out.printf(
                    "| %s | %s | %s | %s | %s | %s |%n",
                    clusters.get(variant).name(),
                    spread(own, "rate", "%.0f"),
                    spread(own, "cpu", "%.3f"),
                    spread(own, "cpuMicros", "%.1f"),
                    spread(own, "p50", "%.2f"),
                    spread(own, "p99", "%.2f"));
        }
        System.out.printf(
                "| patched / stock, round by round | %s | %s | %s | %s | %s |%n",
                ratio(runs, "rate"),
                ratio(runs, "cpu"),
                ratio(runs, "cpuMicros"),
                ratio(runs, "p50"),
                ratio(runs, "p99"));
    }

    private static String spread(List<Measured> runs, String name, String format) {
        return Samples.spread(runs.stream().map(run -> run.get(name)).toList(), format);
    }

    private static String ratio(List<List<Measured>> runs, String name) {
        List<Measured> stock = runs.get(0);
        List<Measured> patched = runs.get(1);
        return Samples.spread(
                IntStream.range(0, stock.size())
                        .mapToObj(round ->
                                patched.get(round).get(name) / stock.get(round).get(name))
                        .toList(),
                "%.3f");
    }
}
