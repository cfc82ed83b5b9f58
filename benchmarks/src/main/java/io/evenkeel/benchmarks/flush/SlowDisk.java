/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * How much does a slow disk slow down the partitions on the other disks of the same broker?
 *
 * <p>A steady load on the partitions of each of several disks, in turn without and with a slow last disk.
 * {@code benchmarks/flush --slow-disk} makes the disks and runs this class.
 */
public final class SlowDisk {
    private static final int PARTITIONS = 12;
    /** More than the broker has request handlers: a disk that holds up that many appends holds up all handlers. */
    private static final int PRODUCERS_OF_SLOW = 10;
    /** With a large backlog in this process, its garbage collector would hold up the producers that are measured. */
    private static final int BUFFER_OF_SLOW_BYTES = 2 << 20;

    private static final int WARMUP_SECONDS = 10;
    private static final int SECONDS = 30;
    private static final int VALUE_BYTES = 1000;
    private static final long MB = 1_000_000;
    private static final String HEADER =
            "| variant | last disk | produce to the others, ms: p50 / p99 / p99.9 / max | produce to the last, ms "
                    + "| bounds exceeded | not acknowledged |\n| --- | --- | --- | --- | --- | --- |";

    private final FlushLab lab;
    private final List<Double> ratios = new ArrayList<>();
    private long allFailed;

    /** The producers of a phase: those to the last disk, which may be slow, and those to the others. */
    private record Producers(List<PacedProducer> others, List<PacedProducer> toLast) implements AutoCloseable {
        Producers() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void start(Window window, long bytesPerSecond) {
            others.forEach(producer -> producer.start(window, nanos -> bytesPerSecond));
            toLast.forEach(producer -> producer.start(window, nanos -> bytesPerSecond / PRODUCERS_OF_SLOW));
        }

        void awaitEnd() {
            others.forEach(PacedProducer::awaitEnd);
            toLast.forEach(PacedProducer::awaitEnd);
        }

        static Latencies latencies(List<PacedProducer> producers) {
            return Latencies.sum(
                    producers.stream().map(PacedProducer::latencies).toList());
        }

        long failed() {
            return failed(others) + failed(toLast);
        }

        private static long failed(List<PacedProducer> producers) {
            return producers.stream().mapToLong(PacedProducer::failed).sum();
        }

        @Override
        public void close() {
            others.forEach(PacedProducer::close);
            toLast.forEach(PacedProducer::close);
        }
    }

    private SlowDisk(FlushLab lab) {
        this.lab = lab;
    }

    /**
     * Arguments: see {@code benchmarks/flush --help}.
     *
     * @throws IllegalStateException when records were not acknowledged, although no disk is slow for a minute
     */
    public static void main(String[] args) throws Exception {
        FlushLab lab = FlushLab.parse(args);
        System.out.println(HEADER);
        long failed = 0;
        for (Variant variant : lab.variants(List.of(FlushVariants.COUNT_50000, FlushVariants.RATE))) {
            failed += new SlowDisk(lab).run(variant);
        }
        if (failed > 0) {
            throw new IllegalStateException(failed + " records were not acknowledged");
        }
    }

    /** Returns how many records were not acknowledged. */
    private long run(Variant variant) throws Exception {
        Backlog topic = new Backlog("events", PARTITIONS, VALUE_BYTES, 0);
        try (ForkedBroker broker = lab.start(variant)) {
            lab.create(topic, broker);
            phase(broker, topic, variant, false); // warms up
            phase(broker, topic, variant, true); // and the code for this case
            for (int round = 0; round < lab.arguments().number("--rounds", 5); round++) {
                double without = phase(broker, topic, variant, false);
                ratios.add(phase(broker, topic, variant, true) / without);
            }
        } finally {
            lab.remove();
        }
        System.out.printf(
                "%n%s: p99 of the others with / without a slow disk, median of %d rounds: %.2f%n%n",
                variant.title(), ratios.size(), Samples.median(ratios));
        return allFailed;
    }

    /** Returns the p99 of the producers to the other disks. */
    private double phase(ForkedBroker broker, Backlog topic, Variant variant, boolean slow) throws Exception {
        long exceededBefore = boundsExceeded(broker);
        Producers producers = new Producers();
        try (producers) {
            addProducers(producers, broker.clientProperties(), topic);
            limitLast(slow ? lab.arguments().number("--slow-mb", 1) * MB : Throttle.HDD_BYTES_PER_SECOND);
            Window window = Window.of(
                    lab.arguments().number("--warmup", WARMUP_SECONDS),
                    lab.arguments().number("--seconds", SECONDS));
            producers.start(window, lab.arguments().number("--mb", 5) * MB);
            window.awaitTo();
            limitLast(Throttle.HDD_BYTES_PER_SECOND);
            producers.awaitEnd();
        }
        Latencies ofOthers = Producers.latencies(producers.others());
        Latencies ofLast = Producers.latencies(producers.toLast());
        allFailed += producers.failed();
        System.out.printf(
                "| %s | %s | %s | %s | %d | %d |%n",
                variant.title(),
                slow ? "slow" : "as the others",
                ofOthers.describe(),
                ofLast.describe(),
                boundsExceeded(broker) - exceededBefore,
                producers.failed());
        return ofOthers.percentile(99);
    }

    private void addProducers(Producers producers, Properties client, Backlog topic) throws IOException {
        Map<Path, List<Integer>> byDisk = byDisk(topic);
        Path last = lab.disks().get(lab.disks().size() - 1);
        for (Path disk : lab.disks()) {
            int[] partitions = byDisk.getOrDefault(disk, List.of()).stream()
                    .mapToInt(Integer::intValue)
                    .toArray();
            if (!disk.equals(last)) {
                producers.others().add(new PacedProducer(client, topic, partitions));
                continue;
            }
            for (int i = 0; i < PRODUCERS_OF_SLOW; i++) {
                producers.toLast().add(new PacedProducer(client, topic, partitions, BUFFER_OF_SLOW_BYTES));
            }
        }
    }

    /** 0 on a stock broker. */
    private static long boundsExceeded(ForkedBroker broker) throws IOException {
        try (Gauges gauges = new Gauges(broker)) {
            return gauges.flush().getOrDefault(FlushGauges.BOUNDS_EXCEEDED, 0L);
        }
    }

    private Map<Path, List<Integer>> byDisk(Backlog topic) throws IOException {
        Map<Path, List<Integer>> byDisk = new HashMap<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            byDisk.computeIfAbsent(lab.disk(topic.name(), partition), first -> new ArrayList<>())
                    .add(partition);
        }
        return byDisk;
    }

    private void limitLast(long bytesPerSecond) throws IOException {
        String device = lab.device(lab.disks().size() - 1);
        if (!device.isEmpty()) {
            new Throttle(device).limit(bytesPerSecond);
        }
    }
}
