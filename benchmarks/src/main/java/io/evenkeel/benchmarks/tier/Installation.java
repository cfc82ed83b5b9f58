/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * What do producers pay on the day that the tier is installed on a broker with many partitions, each with an active
 * segment on the HDD that has to end early?
 *
 * <p>A stock broker fills the partitions and stops. It starts again, stock or patched, and producers go on at a steady
 * rate. {@code benchmarks/rolls --install} makes the disk slow and runs this class.
 */
public final class Installation {
    private static final Set<String> ARGUMENTS =
            Set.of("--dir", "--partitions", "--warmup", "--seconds", "--rounds", "--jvm");
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int VALUE_BYTES = 1000;
    /** To each partition, before the broker starts again; enough for an early roll. */
    private static final int RECORDS_BEFORE = 100;

    private static final String HEADER = "| variant | produce, ms: p50 / p99 / p99.9 / max | rolls | links to the SSD"
            + " | not acknowledged |\n| --- | --- | --- | --- | --- |";

    private final Arguments arguments;
    private final Map<Variant, List<Double>> p99 = new LinkedHashMap<>();

    private Installation(Arguments arguments) {
        this.arguments = arguments;
    }

    /** Arguments: see {@code benchmarks/rolls --help}. */
    public static void main(String[] args) throws Exception {
        new Installation(new Arguments(args, ARGUMENTS)).run();
    }

    private Path disk(String name) {
        return arguments.path("--dir").resolve(name);
    }

    private Path logDir() {
        return disk("hdd").resolve("kafka");
    }

    private void run() throws Exception {
        System.out.println(Machine.describe() + "\n\n" + HEADER);
        for (int round = 0; round < arguments.number("--rounds", 1); round++) {
            for (Variant variant : List.of(Variant.STOCK, Variant.PATCHED)) {
                p99.computeIfAbsent(variant, first -> new ArrayList<>()).add(measure(variant));
            }
        }
        p99.forEach((variant, values) ->
                System.out.printf("%n%s, p99, ms: %s", variant.title(), Samples.spread(values, "%.1f")));
        System.out.println();
    }

    /** Returns the p99 of the producer, in ms. */
    private double measure(Variant variant) throws Exception {
        Backlog topic = new Backlog("events", arguments.number("--partitions", 3000), VALUE_BYTES, RECORDS_BEFORE);
        BrokerConfig stock = LabBroker.config(disk("node"), arguments.all("--jvm"))
                .withLogDirs(logDir())
                .with("log.segment.bytes", SEGMENT_BYTES);
        Path ssd = Files.createDirectories(disk("ssd").resolve("tier"));
        Map<String, String> tier = Map.of("tiered.ssd.dirs", ssd.toString(), "tiered.ssd.capacity.bytes", "4000000000");
        try {
            try (ForkedBroker broker = LabBroker.start(stock, List.of())) {
                topic.create(broker.clientProperties());
                topic.fill(broker.clientProperties(), VALUE_BYTES);
                broker.stop();
            }
            Disks.writeBack(disk("hdd"));
            try (ForkedBroker broker = LabBroker.start(variant.config(stock, tier), List.of())) {
                return measure(variant, topic, broker);
            }
        } finally {
            for (String dir : List.of("node", "hdd/kafka", "ssd/tier")) {
                Utils.delete(disk(dir).toFile());
            }
            Disks.writeBack(disk("hdd"));
        }
    }

    private double measure(Variant variant, Backlog topic, ForkedBroker broker) throws Exception {
        long before = segments(false);
        Window window = Window.of(arguments.number("--warmup", 5), arguments.number("--seconds", 120));
        try (PacedProducer producer = new PacedProducer(broker.clientProperties(), topic)) {
            producer.start(window, nanos -> (long) topic.partitions() * VALUE_BYTES);
            window.awaitTo();
            producer.awaitEnd();
            System.out.printf(
                    "| %s | %s | %d | %d | %d |%n",
                    variant.title(),
                    producer.latencies().describe(),
                    segments(false) - before,
                    segments(true),
                    producer.failed());
            return producer.latencies().percentile(99);
        }
    }

    /** How many segments the log directory has: all, or only links. */
    private long segments(boolean onlyLinks) throws IOException {
        try (Stream<Path> files = Files.walk(logDir())) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .filter(file -> !onlyLinks || Files.isSymbolicLink(file))
                    .count();
        }
    }
}
