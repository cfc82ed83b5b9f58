/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.Samples;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What do the partitions on fast disks notice of a slow one in the same broker?
 *
 * <p>A steady load on the partitions of each of several disks, without and with the last disk being slow, in turn.
 * {@code benchmarks/flush --slow-disk} makes the disks and calls this.
 */
public final class SlowDisk {
    private static final int PARTITIONS = 12;
    /** More than the broker has request handlers: a disk that holds up those holds up all. */
    private static final int PRODUCERS_OF_SLOW = 10;
    /** A backlog that grows in this process makes its garbage collector hold up those whose latency is measured. */
    private static final int BUFFER_OF_SLOW_BYTES = 2 << 20;

    private static final int WARMUP_SECONDS = 10;
    private static final int SECONDS = 30;
    private static final int VALUE_BYTES = 1000;
    private static final long MB = 1_000_000;

    private final FlushLab lab;
    private final List<Double> ratios = new ArrayList<>();
    private long allFailed;

    private SlowDisk(FlushLab lab) {
        this.lab = lab;
    }

    /**
     * Arguments: see {@code benchmarks/flush --help}.
     *
     * @throws IllegalStateException when records were not acknowledged: a disk that is slow for less than a minute is
     *     no reason
     */
    public static void main(String[] args) throws Exception {
        FlushLab lab = FlushLab.parse(args);
        System.out.println(
                "| variant | last disk | produce to the others, ms: p50 / p99 / p99.9 / max | produce to the last, ms | refused | not acknowledged |\n"
                        + "| --- | --- | --- | --- | --- | --- |");
        long failed = 0;
        for (FlushVariant variant : lab.variants(List.of(FlushVariant.COUNT_50000, FlushVariant.RATE))) {
            failed += new SlowDisk(lab).run(variant);
        }
        if (failed > 0) {
            throw new IllegalStateException(failed + " records were not acknowledged");
        }
    }

    /** Answers how many records were not acknowledged. */
    private long run(FlushVariant variant) throws Exception {
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

    /** Answers the p99 of what is produced to the others. */
    private double phase(ForkedBroker broker, Backlog topic, FlushVariant variant, boolean slow) throws Exception {
        Map<Path, List<Integer>> byDisk = byDisk(topic);
        Path last = lab.disks().get(lab.disks().size() - 1);
        long refusedBefore = refusedAppends(broker);
        List<PacedProducer> others = new ArrayList<>();
        List<PacedProducer> toLast = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            for (Path disk : lab.disks()) {
                int[] partitions = byDisk.getOrDefault(disk, List.of()).stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
                if (disk.equals(last)) {
                    for (int i = 0; i < PRODUCERS_OF_SLOW; i++) {
                        toLast.add(
                                new PacedProducer(broker.clientProperties(), topic, partitions, BUFFER_OF_SLOW_BYTES));
                    }
                } else {
                    others.add(new PacedProducer(broker.clientProperties(), topic, partitions));
                }
            }
            limitLast(slow ? lab.arguments().number("--slow-mb", 1) * MB : Throttle.HDD_BYTES_PER_SECOND);
            Window window = Window.of(
                    lab.arguments().number("--warmup", WARMUP_SECONDS),
                    lab.arguments().number("--seconds", SECONDS));
            long bytesPerSecond = lab.arguments().number("--mb", 5) * MB;
            others.forEach(producer -> threads.add(start(producer, window, bytesPerSecond)));
            toLast.forEach(producer -> threads.add(start(producer, window, bytesPerSecond / PRODUCERS_OF_SLOW)));
            FlushRun.sleepUntil(window.toNanos());
            limitLast(Throttle.HDD_BYTES_PER_SECOND);
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            others.forEach(PacedProducer::close);
            toLast.forEach(PacedProducer::close);
        }
        Latencies ofOthers =
                Latencies.sum(others.stream().map(PacedProducer::latencies).toList());
        Latencies ofLast =
                Latencies.sum(toLast.stream().map(PacedProducer::latencies).toList());
        long failed = Stream.concat(others.stream(), toLast.stream())
                .mapToLong(PacedProducer::failed)
                .sum();
        allFailed += failed;
        System.out.printf(
                "| %s | %s | %s | %s | %d | %d |%n",
                variant.title(),
                slow ? "slow" : "as the others",
                FlushReport.latencies(ofOthers),
                FlushReport.latencies(ofLast),
                refusedAppends(broker) - refusedBefore,
                failed);
        return ofOthers.percentile(99);
    }

    /** None in stock. */
    private static long refusedAppends(ForkedBroker broker) throws IOException {
        try (Gauges gauges = new Gauges(broker)) {
            return gauges.flush().getOrDefault("RefusedAppends", 0L);
        }
    }

    private static Thread start(PacedProducer producer, Window window, long bytesPerSecond) {
        Thread thread = new Thread(() -> producer.run(window, nanos -> bytesPerSecond), "producer");
        thread.setDaemon(true);
        thread.start();
        return thread;
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
