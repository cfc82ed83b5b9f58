/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Footprint;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Topics;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How much memory does a real broker keep for share fetches that are completed?
 *
 * <p>A share fetch waits under two keys for each partition. In Kafka 4.0 it stays under most of them when it is
 * completed (KAFKA-19389).
 */
public final class KeptMemory {
    private static final Set<String> ARGUMENTS = Set.of(
            "--dir", "--versions", "--variants", "--partitions", "--consumers", "--records", "--seconds", "--readings");
    private static final List<Variant> KNOWN = List.of(Variant.STOCK, Variant.PATCHED);
    private static final String TOPIC = "shared";
    private static final String KIND = "ShareFetch";
    /** What share groups need in 4.0, where they are a preview. */
    private static final Map<String, String> PREVIEW = Map.of(
            "unstable.api.versions.enable", "true",
            "group.share.enable", "true",
            "group.coordinator.rebalance.protocols", "classic,consumer,share");

    private static final long POLL_MS = 100;
    private static final double MB = 1e6;

    private final Arguments arguments;

    private KeptMemory(Arguments arguments) {
        this.arguments = arguments;
    }

    /** What the broker holds at one instant, and the most keys that were watched since the one before. */
    private record Reading(String when, long waiting, long watched, long most, double heapMb) {
        static Reading of(String when, long most, ForkedBroker broker, Gauges gauges) throws IOException {
            double heapMb = Footprint.of(broker).heapBytes() / MB;
            long watched = gauges.watched(KIND);
            return new Reading(when, gauges.delayed(KIND), watched, Math.max(most, watched), heapMb);
        }

        String row(String version, Variant variant, double heapBefore) {
            return "| %s | %s | %s | %,d | %,d | %,d | %.1f |"
                    .formatted(version, variant.name(), when, waiting, watched, most, heapMb - heapBefore);
        }
    }

    /** Arguments: see {@code benchmarks/kept-memory --help}. */
    public static void main(String[] args) throws Exception {
        new KeptMemory(new Arguments(args, ARGUMENTS)).run();
    }

    private void run() throws Exception {
        System.out.printf("%s%n%n", Machine.describe());
        System.out.println("| Kafka | broker | when | fetches that wait | watched | most watched | more heap, MB |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        for (String version : arguments.all("--versions")) {
            for (Variant variant : Variant.named(arguments.all("--variants"), KNOWN)) {
                List<Reading> readings = measure(version, variant);
                double before = readings.get(0).heapMb();
                readings.forEach(each -> System.out.println(each.row(version, variant, before)));
            }
        }
    }

    private List<Reading> measure(String version, Variant variant) throws Exception {
        KafkaRuntime runtime = new KafkaRuntime(Path.of("benchmarks/target/kafka", version, "libs"));
        Path node = arguments.path("--dir").resolve(version + "-" + variant.name());
        BrokerConfig config = BrokerConfig.under(node, 1, 0).withJvmFlags(LabBroker.heap("512m"));
        Map<String, String> preview = version.startsWith("4.0.") ? PREVIEW : Map.of();
        try (ForkedBroker broker = new ForkedBroker(runtime, variant.config(config.with(preview), Map.of())).start();
                Gauges gauges = new Gauges(broker)) {
            new Topics(broker).create(TOPIC, partitions(), Map.of());
            List<Reading> readings = new ArrayList<>();
            readings.add(Reading.of("before", 0, broker, gauges));
            readings.addAll(underLoad(runtime, broker, gauges));
            while (gauges.delayed(KIND) > 0) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            readings.add(Reading.of("clients gone", 0, broker, gauges));
            return readings;
        }
    }

    private List<Reading> underLoad(KafkaRuntime runtime, ForkedBroker broker, Gauges gauges) throws Exception {
        int seconds = arguments.number("--seconds", 60);
        int count = arguments.number("--readings", 4);
        List<Reading> readings = new ArrayList<>();
        Process load = load(runtime, broker);
        Thread killer = new Thread(load::destroyForcibly, "kill-load");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            for (int i = 1; i <= count; i++) {
                long most = 0;
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds) / count;
                while (System.nanoTime() - end < 0) {
                    most = Math.max(most, gauges.watched(KIND));
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
                readings.add(Reading.of("after %d s".formatted(seconds * i / count), most, broker, gauges));
            }
            if (!load.isAlive()) {
                throw new IllegalStateException("the clients have ended too early");
            }
            return readings;
        } finally {
            load.destroyForcibly().waitFor();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    /** Each partition on the only broker. */
    private Map<Integer, List<Integer>> partitions() {
        return IntStream.range(0, arguments.number("--partitions", 50))
                .boxed()
                .collect(Collectors.toMap(each -> each, each -> List.of(1)));
    }

    /** Kafka's own jars go before ours, which have the newest client library in them. */
    private Process load(KafkaRuntime runtime, ForkedBroker broker) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dlog4j2.level=ERROR",
                "-cp",
                runtime.libs().resolve("*") + File.pathSeparator + System.getProperty("java.class.path"),
                KeptLoad.class.getName(),
                broker.bootstrap(),
                TOPIC,
                arguments.text("--consumers"),
                arguments.text("--records"));
        return new ProcessBuilder(command).inheritIO().start();
    }
}
