/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Usage.Device;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What does flushing by rate cost where it has least to gain: many partitions with few bytes each, on a disk that does
 * few writes a second?
 *
 * <p>{@code benchmarks/flush --quiet} makes the disk and runs this class.
 */
public final class QuietPartitions {
    private static final int WARMUP_SECONDS = 60;
    private static final int SECONDS = 60;
    private static final int PARTITIONS = 1000;
    private static final int OPERATIONS = 100;
    /** To each partition: one record. */
    private static final int BYTES_PER_SECOND = 5000;

    private static final String HEADER =
            "| variant | produce, ms: p50 / p99 / p99.9 / max | device, MB/s | flushes/s | time in flushes "
                    + "| oldest unflushed, s | bounds exceeded | waits | not acknowledged |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    private final FlushLab lab;
    private final Map<Variant, List<Double>> p99 = new LinkedHashMap<>();

    private QuietPartitions(FlushLab lab) {
        this.lab = lab;
    }

    /** Arguments: see {@code benchmarks/flush --help}. */
    public static void main(String[] args) throws Exception {
        new QuietPartitions(FlushLab.parse(args)).run();
    }

    private void run() throws Exception {
        System.out.println(HEADER);
        List<Variant> variants = lab.variants(List.of(FlushVariants.DEFAULT, FlushVariants.RATE));
        for (int round = 0; round < lab.arguments().number("--rounds", 3); round++) {
            for (Variant variant : variants) {
                p99.computeIfAbsent(variant, first -> new ArrayList<>()).add(measure(variant));
            }
        }
        Variant first = variants.get(0);
        List<Double> ofFirst = p99.getOrDefault(first, List.of());
        p99.forEach((variant, values) -> System.out.printf(
                "%n%s: p99 / p99 of \"%s\": %s%n",
                variant.title(), first.title(), Samples.spread(Samples.ratios(values, ofFirst), "%.2f")));
    }

    /** Returns the p99 of the producer, in ms. */
    private double measure(Variant variant) throws Exception {
        Backlog topic = new Backlog(
                "events",
                lab.arguments().number("--partitions", PARTITIONS),
                lab.arguments().number("--value-bytes", BYTES_PER_SECOND),
                0);
        try (ForkedBroker broker = lab.start(variant)) {
            topic.create(broker.clientProperties());
            limit(lab.arguments().number("--operations", OPERATIONS));
            try (PacedProducer producer = new PacedProducer(broker.clientProperties(), topic);
                    Gauges gauges = new Gauges(broker)) {
                return measure(variant, topic, producer, gauges);
            }
        } finally {
            limit(0);
            lab.remove();
        }
    }

    private double measure(Variant variant, Backlog topic, PacedProducer producer, Gauges gauges) throws Exception {
        Window window = Window.of(
                lab.arguments().number("--warmup", WARMUP_SECONDS),
                lab.arguments().number("--seconds", SECONDS));
        long bytesPerSecond = (long) topic.partitions() * BYTES_PER_SECOND;
        producer.start(window, nanos -> bytesPerSecond);
        window.awaitFrom();
        Device before = Device.of(lab.device(0));
        Map<String, Long> flushBefore = gauges.flush();
        window.awaitTo();
        Map<String, Long> flush = gauges.flush();
        Device after = Device.of(lab.device(0));
        producer.awaitEnd();
        System.out.printf(
                "| %s | %s | %.1f | %.1f | %.0f %% | %.1f | %d | %d | %d |%n",
                variant.title(),
                producer.latencies().describe(),
                (after.writtenBytes() - before.writtenBytes()) / window.seconds() / 1e6,
                since(flushBefore, flush, FlushGauges.FLUSHES) / window.seconds(),
                since(flushBefore, flush, FlushGauges.FLUSH_MS) / window.seconds() / 10,
                flush.getOrDefault(FlushGauges.OLDEST_PENDING_MS, 0L) / 1e3,
                since(flushBefore, flush, FlushGauges.BOUNDS_EXCEEDED),
                since(flushBefore, flush, FlushGauges.APPEND_WAITS),
                producer.failed());
        return producer.latencies().percentile(99);
    }

    /** 0 on a stock broker. */
    private static long since(Map<String, Long> before, Map<String, Long> after, String gauge) {
        return after.getOrDefault(gauge, 0L) - before.getOrDefault(gauge, 0L);
    }

    /** On the device below, all writes count, also those of the file system itself. */
    private void limit(int operationsPerSecond) throws IOException {
        if (!lab.device(0).isEmpty()) {
            Throttle.below(lab.device(0)).limitOperations(operationsPerSecond);
        }
    }
}
