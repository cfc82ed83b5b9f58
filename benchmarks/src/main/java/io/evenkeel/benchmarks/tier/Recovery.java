/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.ControlGroups;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How fast does a broker recover and compact segments that are on the HDD alone?
 *
 * <p>A stock and a patched broker take turns on the same log directory. Each recovers all of it after a kill, as if
 * nothing had been flushed, and then compacts all of it; no record has a newer one, so it stays as large as it is. The
 * rates are those that Kafka itself logs. {@code benchmarks/recovery} makes the disks and bounds and runs this class.
 */
public final class Recovery {
    private static final Set<String> ARGUMENTS =
            Set.of("--dir", "--hdd", "--ssd", "--cgroup", "--mib", "--partitions", "--rounds", "--jvm");
    /** Without them Kafka recovers and compacts from the first offset on. */
    private static final List<String> CHECKPOINTS =
            List.of("recovery-point-offset-checkpoint", "cleaner-offset-checkpoint");

    private static final String HEADER = "| | recovery, MB/s | compaction, MB/s | load |\n| --- | --- | --- | --- |";

    /** MiB a second. */
    private record Rates(double recovery, double compaction) {}

    private final Arguments arguments;
    private final KeyedBacklog topic;
    private final BrokerConfig stock;
    private final Map<Variant, List<Rates>> rates = new LinkedHashMap<>();

    private Recovery(Arguments arguments) {
        this.arguments = arguments;
        this.topic = new KeyedBacklog("events", arguments.number("--partitions", 4), arguments.number("--mib", 2048));
        this.stock = LabBroker.config(arguments.path("--dir").resolve("node"), arguments.all("--jvm"))
                .withLogDirs(arguments.path("--hdd").resolve("kafka"))
                .with("log.segment.bytes", TierBroker.SEGMENT_BYTES)
                .with("log.cleaner.dedupe.buffer.size", 64 << 20)
                .with("log.cleaner.backoff.ms", 100);
    }

    /** Arguments: see {@code benchmarks/recovery --help}. */
    public static void main(String[] args) throws Exception {
        new Recovery(new Arguments(args, ARGUMENTS)).run();
    }

    private void run() throws Exception {
        System.out.printf("%s; %d MiB%n%n%s%n", Machine.describe(), topic.mib(), HEADER);
        try (ForkedBroker broker = start(Variant.STOCK, false)) {
            topic.fill(broker.clientProperties());
            broker.stop();
        }
        for (int round = 0; round < arguments.number("--rounds", 5); round++) {
            boolean stockFirst = round % 2 == 0;
            measure(stockFirst ? Variant.STOCK : Variant.PATCHED);
            measure(stockFirst ? Variant.PATCHED : Variant.STOCK);
        }
        System.out.printf(
                "%npatched / stock, median (least to most): recovery %s, compaction %s%n",
                ratio(Rates::recovery), ratio(Rates::compaction));
    }

    private String ratio(ToDoubleFunction<Rates> rate) {
        return Samples.spread(Samples.ratios(all(Variant.PATCHED, rate), all(Variant.STOCK, rate)), "%.3f");
    }

    private List<Double> all(Variant variant, ToDoubleFunction<Rates> rate) {
        return rates.getOrDefault(variant, List.of()).stream()
                .map(rate::applyAsDouble)
                .toList();
    }

    private void measure(Variant variant) throws Exception {
        Rates measured = new Rates(recovery(variant), compaction(variant));
        rates.computeIfAbsent(variant, first -> new ArrayList<>()).add(measured);
        System.out.printf(
                "| %s | %.1f | %.1f | %s |%n",
                variant.title(), measured.recovery(), measured.compaction(), Machine.load());
    }

    private double recovery(Variant variant) throws Exception {
        try (ForkedBroker broker = start(variant, false)) {
            broker.kill();
        }
        forget();
        try (ForkedBroker broker = start(variant, false)) {
            double seconds = KafkaLog.of(broker).loadSeconds();
            broker.stop();
            return topic.bytes(stock.logDirs().get(0)) / (double) (1 << 20) / seconds;
        }
    }

    private double compaction(Variant variant) throws Exception {
        forget();
        try (ForkedBroker broker = start(variant, true)) {
            double rate = KafkaLog.of(broker).awaitCleaned(topic.partitions());
            broker.stop();
            return rate;
        }
    }

    /** Has Kafka begin at the first offset, and read from the disk. */
    private void forget() throws IOException {
        Path logDir = stock.logDirs().get(0);
        for (String checkpoint : CHECKPOINTS) {
            Files.deleteIfExists(logDir.resolve(checkpoint));
        }
        Disks.writeBack(logDir);
        try (Stream<Path> files = Files.walk(logDir)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                PageCache.drop(file);
            }
        }
    }

    private ForkedBroker start(Variant variant, boolean cleans) throws IOException {
        BrokerConfig config = stock.with("log.cleaner.enable", cleans);
        if (variant.patched()) {
            config = config.withSsdDirs(arguments.path("--ssd").resolve("tier"));
        }
        Map<String, String> tier =
                Map.of("tiered.ssd.capacity.bytes", "1000000000", "tiered.ssd.excluded.topics", topic.name());
        Files.deleteIfExists(config.nodeDir().resolve("broker.log"));
        return LabBroker.start(variant.config(config, tier), cgroups(variant));
    }

    private List<Path> cgroups(Variant variant) {
        return arguments.has("--cgroup")
                ? ControlGroups.ofBroker(arguments.text("--cgroup") + "." + variant.name())
                : List.of();
    }
}
