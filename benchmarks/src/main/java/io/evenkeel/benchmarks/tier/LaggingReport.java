/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Variant;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The measured phases as Markdown tables. Stateless. */
final class LaggingReport {
    private static final String HEADER = "| | produce p50 / p99 / p99.9 / max, ms"
            + " | end to end p50 / p99 / p99.9 / max, ms | laggards, MB/s | newest in memory"
            + " | end to end within 10 ms / 100 ms / 1 s / 10 s / later, %"
            + " | HDD read / written, MB/s | SSD read / written, MB/s"
            + " | " + Usage.PROCESSORS + " | load | machine short of memory, times |\n"
            + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    private static final String WITHOUT = " " + Phase.load(OptionalInt.empty());

    private LaggingReport() {}

    static void print(LaggingOptions options, List<Phase> phases) {
        System.out.printf(
                "%d MiB of backlog on %s, %d MB/s produced, %s laggards limited to %d MB/s together, %s data%s%s,"
                        + " %d × %d s each:%n%n",
                options.backlogMib(),
                options.backlogOn(),
                options.producedMbPerSecond(),
                options.laggards().stream().map(String::valueOf).collect(Collectors.joining(", ")),
                options.laggardsMbPerSecond(),
                options.sameData() ? "the same" : "different",
                options.tls() ? ", TLS" : "",
                options.mixed() ? ", one consumer reads old and new records" : "",
                options.rounds(),
                options.seconds());
        System.out.println(HEADER);
        phases.forEach(phase -> System.out.println(row(phase)));
        System.out.println("\n| median over the rounds (least to most) | produce p99 | p99.9 | end to end p99 | p99.9"
                + " | laggards, MB/s |\n| --- | --- | --- | --- | --- | --- |");
        for (int laggards : options.laggards()) {
            String with = " " + Phase.load(OptionalInt.of(laggards));
            for (Variant variant : options.variants()) {
                ratio(
                        variant.name() + "," + with + " / without",
                        of(phases, variant.name() + with),
                        of(phases, variant.name() + WITHOUT));
            }
            ratio(with.strip() + ", stock / patched", of(phases, "stock" + with), of(phases, "patched" + with));
        }
        ratio(WITHOUT.strip() + ", stock / patched", of(phases, "stock" + WITHOUT), of(phases, "patched" + WITHOUT));
    }

    private static List<Phase> of(List<Phase> phases, String key) {
        return phases.stream().filter(phase -> phase.key().equals(key)).toList();
    }

    static String row(Phase phase) {
        Usage usage = phase.measured().usage();
        String row = "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %d |"
                .formatted(
                        phase.key(),
                        phase.produce().describe(),
                        phase.endToEnd().describe(),
                        phase.laggards().isPresent() ? rate(phase.measured().laggardsBytes(), phase) : "–",
                        "%.1f %%".formatted(100 * phase.measured().residency()),
                        classes(phase.endToEnd()),
                        device(usage.hdd(), phase),
                        device(usage.ssd(), phase),
                        usage.processors(),
                        phase.measured().load(),
                        usage.memoryShortages());
        return phase.failed() + phase.missing() == 0
                ? row
                : row + " %d not acknowledged, %d not received".formatted(phase.failed(), phase.missing());
    }

    /** The share of the records in each of five classes of latency. */
    private static String classes(Latencies latencies) {
        return "%.1f / %.1f / %.1f / %.1f / %.1f"
                .formatted(
                        latencies.percentBetween(0, 10),
                        latencies.percentBetween(10, 100),
                        latencies.percentBetween(100, 1000),
                        latencies.percentBetween(1000, 10_000),
                        latencies.percentBetween(10_000, Long.MAX_VALUE));
    }

    private static String device(Usage.Device device, Phase phase) {
        return rate(device.readBytes(), phase) + " / " + rate(device.writtenBytes(), phase);
    }

    private static String rate(long bytes, Phase phase) {
        return "%.0f".formatted(bytes / 1e6 / phase.seconds());
    }

    private static void ratio(String name, List<Phase> over, List<Phase> under) {
        if (!over.isEmpty() && !under.isEmpty()) {
            System.out.printf(
                    "| %s | %s | %s | %s | %s | %s |%n",
                    name,
                    ratio(over, under, phase -> phase.produce().percentile(99)),
                    ratio(over, under, phase -> phase.produce().percentile(99.9)),
                    ratio(over, under, phase -> phase.endToEnd().percentile(99)),
                    ratio(over, under, phase -> phase.endToEnd().percentile(99.9)),
                    Samples.spread(
                            over.stream().map(LaggingReport::laggardsRate).toList(), "%.0f"));
        }
    }

    private static double laggardsRate(Phase phase) {
        return phase.measured().laggardsBytes() / 1e6 / phase.seconds();
    }

    private static String ratio(List<Phase> over, List<Phase> under, ToDoubleFunction<Phase> value) {
        return Samples.spread(
                Samples.ratios(
                        over.stream().map(value::applyAsDouble).toList(),
                        under.stream().map(value::applyAsDouble).toList()),
                "%.2f");
    }
}
