/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.ControlGroups;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.StartTime;
import io.evenkeel.benchmarks.lab.Variant;
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

/**
 * How long does a broker take to start after it was killed, when it has to read the unflushed end of each log?
 *
 * <p>A stock broker with its logs on an HDD, and a patched one with the newest segments on an SSD, are filled, killed,
 * and started again in turn, with an empty page cache. {@code benchmarks/restart} makes the disks and bounds and runs
 * this class.
 */
public final class CrashRestart {
    private static final Set<String> ARGUMENTS =
            Set.of("--dir", "--hdd", "--ssd", "--cgroup", "--partitions", "--partition-mib", "--rounds", "--variants");
    private static final List<Variant> VARIANTS = List.of(Variant.STOCK, Variant.PATCHED);
    private static final int VALUE_BYTES = 10_000;
    private static final int SEGMENT_BYTES = 1 << 30;
    private static final long SSD_CAPACITY_BYTES = 12L << 30;

    private final Arguments arguments;
    private final Backlog topic;
    private final Map<Variant, ForkedBroker> brokers = new LinkedHashMap<>();

    private CrashRestart(Arguments arguments) {
        this.arguments = arguments;
        long records = arguments.number("--partition-mib", 8) * (1L << 20) / VALUE_BYTES;
        this.topic = new Backlog("events", arguments.number("--partitions", 500), VALUE_BYTES, records);
    }

    /** Arguments: see {@code benchmarks/restart --help}. */
    public static void main(String[] args) throws Exception {
        CrashRestart benchmark = new CrashRestart(new Arguments(args, ARGUMENTS));
        try {
            benchmark.run();
        } finally {
            benchmark.brokers.values().forEach(ForkedBroker::close);
        }
    }

    private void run() throws Exception {
        List<String> names = arguments.all("--variants");
        List<Variant> variants = names.isEmpty() ? VARIANTS : Variant.named(names, VARIANTS);
        for (Variant variant : variants) {
            System.err.println(variant.name() + ": producing");
            ForkedBroker broker = LabBroker.start(config(variant), cgroups(variant));
            brokers.put(variant, broker);
            topic.create(broker.clientProperties());
            // Spreads the ends over what a partition gets, not over a segment.
            topic.fill(broker.clientProperties(), 0);
            writeBack();
            broker.kill();
        }
        System.out.printf(
                "%d partitions with %d MiB each that were not flushed, killed and started again:%n%n",
                topic.partitions(), arguments.number("--partition-mib", 8));
        System.out.println("| | start after a crash, s |\n| --- | --- |");
        Map<Variant, List<Double>> seconds = new LinkedHashMap<>();
        for (int round = 0; round < arguments.number("--rounds", 3); round++) {
            for (Variant variant : variants) {
                double took = restart(variant);
                System.out.printf("| %s | %.2f |%n", variant.name(), took);
                seconds.computeIfAbsent(variant, any -> new ArrayList<>()).add(took);
            }
        }
        if (seconds.size() == VARIANTS.size()) {
            System.out.printf(
                    "%n| patched / stock |%n| --- |%n| %s |%n",
                    Samples.spread(
                            Samples.ratios(
                                    seconds.getOrDefault(Variant.PATCHED, List.of()),
                                    seconds.getOrDefault(Variant.STOCK, List.of())),
                            "%.3f"));
        }
    }

    /** Starts the broker with an empty page cache and kills it again. */
    private double restart(Variant variant) throws IOException, InterruptedException {
        ForkedBroker broker = brokers.get(variant);
        if (broker == null) {
            throw new IllegalStateException(variant.name() + " was never started");
        }
        writeBack();
        if (isBounded()) {
            Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
        }
        double seconds = StartTime.seconds(broker, cgroups(variant));
        broker.kill();
        return seconds;
    }

    private boolean isBounded() {
        return arguments.has("--cgroup");
    }

    private void writeBack() throws IOException {
        Disks.writeBack(hdd());
        Disks.writeBack(ssd());
    }

    private Path hdd() {
        return Path.of(arguments.all("--hdd").get(0));
    }

    private Path ssd() {
        return Path.of(arguments.all("--ssd").get(0));
    }

    private List<Path> cgroups(Variant variant) {
        return isBounded() ? ControlGroups.ofBroker(arguments.text("--cgroup") + "." + variant.name()) : List.of();
    }

    private BrokerConfig config(Variant variant) throws IOException {
        Path ssd = Files.createDirectories(ssd().resolve(variant.name()));
        BrokerConfig stock = LabBroker.config(arguments.path("--dir").resolve(variant.name()), List.of())
                .withLogDirs(hdd().resolve(variant.name()))
                .with("log.segment.bytes", SEGMENT_BYTES);
        return variant.config(
                stock,
                Map.of(
                        "tiered.ssd.dirs",
                        ssd.toString(),
                        "tiered.ssd.capacity.bytes",
                        String.valueOf(SSD_CAPACITY_BYTES)));
    }
}
