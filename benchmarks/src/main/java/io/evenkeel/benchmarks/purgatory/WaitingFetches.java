/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.benchmarks.lab.Window;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * What do delayed fetches cost a real broker?
 *
 * <p>A stock and a patched broker run side by side and take turns under load; with another stock broker beside them,
 * its ratio to the first shows by how much equal brokers differ. First many consumers wait at the ends of some
 * partitions to which a few records a second are produced. Then producers wait for a follower that fetches many
 * partitions at once, so that each of its fetches is watched under all of them. The follower is stock for all.
 */
public final class WaitingFetches {
    private static final Set<String> ARGUMENTS = Set.of(
            "--dir",
            "--loads",
            "--variants",
            "--consumers",
            "--partitions",
            "--wait-ms",
            "--records",
            "--followed",
            "--rounds",
            "--warmup",
            "--seconds");
    private static final List<Variant> VARIANTS =
            List.of(Variant.STOCK, Variant.PATCHED, new Variant("stock-again", false));
    private static final String CONSUMED = "consumed";
    private static final String FOLLOWED = "followed";
    /** Kafka's default. */
    private static final int BUFFER_BYTES = 32 << 20;

    private final Arguments arguments;
    private final List<FetchedCluster> clusters;

    private WaitingFetches(Arguments arguments) {
        this.arguments = arguments;
        Path dir = arguments.path("--dir");
        this.clusters = Variant.named(arguments.all("--variants"), VARIANTS).stream()
                .map(variant -> new FetchedCluster(variant, dir))
                .toList();
    }

    /** A load that is measured on one cluster. */
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
        }
        System.out.println(Machine.describe());
        for (String load : arguments.all("--loads")) {
            switch (load) {
                case "consumers" -> compareConsumers();
                case "follower" -> compareFollower();
                default -> throw new IllegalArgumentException("unknown load: " + load);
            }
        }
    }

    private void compareConsumers() throws Exception {
        for (FetchedCluster cluster : clusters) {
            cluster.create(CONSUMED, partitions(), false);
        }
        System.out.printf(
                "%n%d consumers, waiting up to %d ms at the ends of %d partitions; %d records/s; "
                        + "an operation is a response:%n%n",
                consumers(), waitMs(), partitions(), records());
        compare(this::consumers);
    }

    /** Creates the topic only now, because the follower fetches even when there are no records. */
    private void compareFollower() throws Exception {
        for (FetchedCluster cluster : clusters) {
            cluster.create(FOLLOWED, followed(), true);
        }
        System.out.printf(
                "%nA follower of %d partitions; %d records/s; an operation is a record that both brokers have:%n%n",
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
                PacedProducer producer = producer(cluster, CONSUMED, partitions())) {
            Measured measured = measure(cluster, polls.received(), polls::responses);
            requireAllAcknowledged(producer);
            return measured;
        }
    }

    private Measured follower(FetchedCluster cluster) throws Exception {
        try (PacedProducer producer = producer(cluster, FOLLOWED, followed())) {
            Latencies acknowledged = producer.latencies();
            Measured measured = measure(cluster, acknowledged, acknowledged::count);
            requireAllAcknowledged(producer);
            return measured;
        }
    }

    /** Starts a producer that sends each record alone, to one partition after the other. */
    private PacedProducer producer(FetchedCluster cluster, String topic, int partitions) {
        Properties client = new Properties();
        client.putAll(cluster.client());
        client.put("linger.ms", "0");
        Backlog records = new Backlog(topic, partitions, Long.BYTES, 0);
        PacedProducer producer = new PacedProducer(
                client, records, IntStream.range(0, partitions).toArray(), BUFFER_BYTES);
        producer.latencies().pause();
        long bytesPerSecond = (long) records() * Long.BYTES;
        producer.start(Window.open(), nanos -> bytesPerSecond);
        return producer;
    }

    private static void requireAllAcknowledged(PacedProducer producer) {
        producer.close();
        if (producer.failed() > 0) {
            throw new IllegalStateException(producer.failed() + " records were not acknowledged");
        }
    }

    private Measured measure(FetchedCluster cluster, Latencies latencies, LongSupplier operations)
            throws InterruptedException {
        TimeUnit.SECONDS.sleep(arguments.number("--warmup", 10));
        latencies.resume();
        long cpuBefore = cluster.leaderCpuNanos();
        long operationsBefore = operations.getAsLong();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(arguments.number("--seconds", 30));
        double seconds = (System.nanoTime() - start) / 1e9;
        double done = operations.getAsLong() - operationsBefore;
        if (done == 0) {
            throw new IllegalStateException(
                    cluster.name() + " did nothing while it was measured: give it a longer --warmup");
        }
        double cpuMicros = (cluster.leaderCpuNanos() - cpuBefore) / 1e3;
        latencies.pause();
        return new Measured(Map.of(
                "rate", done / seconds,
                "cpu", cpuMicros / 1e6 / seconds,
                "cpuMicros", cpuMicros / done,
                "p50", latencies.percentile(50),
                "p99", latencies.percentile(99)));
    }

    /** Measures all clusters in turn; the order changes with each round. */
    private void compare(Load load) throws Exception {
        List<List<Measured>> runs = clusters.stream()
                .<List<Measured>>map(cluster -> new ArrayList<>())
                .toList();
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
            print(
                    clusters.get(variant).name(),
                    spread(own, "rate", "%.0f"),
                    spread(own, "cpu", "%.3f"),
                    spread(own, "cpuMicros", "%.1f"),
                    spread(own, "p50", "%.2f"),
                    spread(own, "p99", "%.2f"));
        }
        for (int variant = 1; variant < clusters.size(); variant++) {
            List<Measured> own = runs.get(variant);
            List<Measured> first = runs.get(0);
            print(
                    clusters.get(variant).name() + " / " + clusters.get(0).name() + ", round by round",
                    ratio(own, first, "rate"),
                    ratio(own, first, "cpu"),
                    ratio(own, first, "cpuMicros"),
                    ratio(own, first, "p50"),
                    ratio(own, first, "p99"));
        }
    }

    private static void print(String... cells) {
        System.out.println("| " + String.join(" | ", cells) + " |");
    }

    private static String spread(List<Measured> runs, String name, String format) {
        return Samples.spread(values(runs, name), format);
    }

    private static List<Double> values(List<Measured> runs, String name) {
        return runs.stream().map(run -> run.get(name)).toList();
    }

    private static String ratio(List<Measured> runs, List<Measured> first, String name) {
        return Samples.spread(Samples.ratios(values(runs, name), values(first, name)), "%.3f");
    }
}
