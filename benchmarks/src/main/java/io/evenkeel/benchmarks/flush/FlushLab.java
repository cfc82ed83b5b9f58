/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Utils;

/**
 * Where brokers run, and on what. Immutable.
 *
 * @param dir for what is on none of the disks
 * @param disks where they are mounted; the log directories are there
 * @param devices their names as in {@code /sys/block}; none when nobody knows
 * @param patchedProperties more of {@code server.properties} for a patched broker
 */
record FlushLab(
        Path dir, List<Path> disks, List<String> devices, Arguments arguments, Map<String, String> patchedProperties) {
    static final Set<String> ARGUMENTS = Set.of(
            "--dir",
            "--disks",
            "--devices",
            "--cgroup",
            "--partitions",
            "--segment-mib",
            "--seconds",
            "--warmup",
            "--rounds",
            "--value-bytes",
            "--variants",
            "--report",
            "--freeze",
            "--mb",
            "--slow-mb",
            "--jvm",
            "--set");

    static FlushLab parse(String[] args) {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        return new FlushLab(
                arguments.path("--dir"),
                arguments.all("--disks").stream().map(Path::of).toList(),
                arguments.all("--devices"),
                arguments,
                arguments.all("--set").stream()
                        .map(property -> property.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
    }

    /** The same with properties for a patched broker, where the arguments do not set them. */
    FlushLab orElse(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.putAll(patchedProperties);
        return new FlushLab(dir, disks, devices, arguments, all);
    }

    /** What the arguments name, or others. */
    List<FlushVariant> variants(List<FlushVariant> otherwise) {
        List<String> names = arguments.all("--variants");
        return names.isEmpty()
                ? otherwise
                : names.stream()
                        .map(name -> FlushVariant.valueOf(
                                name.toUpperCase(Locale.ROOT).replace('-', '_')))
                        .toList();
    }

    /** The device's name; empty when nobody knows it. */
    String device(int disk) {
        return devices.isEmpty() ? "" : devices.get(disk);
    }

    Backlog topic(int valueBytes) {
        return new Backlog("events", arguments.number("--partitions", 64), valueBytes, 0);
    }

    /** A broker on new, empty directories of all disks. */
    ForkedBroker start(FlushVariant variant) throws IOException {
        remove();
        BrokerConfig stock = Variant.config(dir.resolve("node"), arguments.all("--jvm"))
                .withLogDirs(disks.stream().map(disk -> disk.resolve("logs")).toArray(Path[]::new))
                .with("log.segment.bytes", segmentBytes())
                .with("log.retention.bytes", segmentBytes())
                .with("log.retention.check.interval.ms", 5000)
                .with("log.segment.delete.delay.ms", 1000);
        List<Path> cgroups = arguments.all("--cgroup").stream().map(Path::of).toList();
        return Variant.start(variant.of(stock, patchedProperties), cgroups);
    }

    /** Removes what a broker has left, and returns when the disks have nothing to do. */
    void remove() throws IOException {
        Utils.delete(dir.resolve("node").toFile());
        for (Path disk : disks) {
            Utils.delete(disk.resolve("logs").toFile());
            Files.createDirectories(disk);
        }
        writeBack();
    }

    private void writeBack() throws IOException {
        for (Path disk : disks) {
            try {
                new ProcessBuilder("sync", "-f", disk.toString())
                        .inheritIO()
                        .start()
                        .waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while " + disk + " was written back", e);
            }
        }
    }

    /**
     * Makes the topic, and leaves half a segment in each partition, more or less: they do not roll at the same instant
     * from then on, and the page cache is as full as that of any broker that has been up for long.
     */
    void create(Backlog topic, ForkedBroker broker) throws IOException, InterruptedException, ExecutionException {
        topic.create(broker.clientProperties());
        topic.fill(broker.clientProperties(), segmentBytes());
        writeBack();
        try (Gauges gauges = new Gauges(broker)) {
            while (gauges.flush().getOrDefault("PendingBytes", 0L) > 0) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    /** By default so large that a short run has few rolls, and so small that a long one has room. */
    private int segmentBytes() {
        return arguments.number("--segment-mib", 64) << 20;
    }

    /** The directory of a partition, on whichever disk. */
    Path partitionDir(String topic, int partition) throws IOException {
        return partitionDir(disk(topic, partition), topic, partition);
    }

    /** The disk that a partition is on. */
    Path disk(String topic, int partition) throws IOException {
        for (Path disk : disks) {
            if (Files.isDirectory(partitionDir(disk, topic, partition))) {
                return disk;
            }
        }
        throw new IOException(topic + "-" + partition + " is on none of " + disks);
    }

    private static Path partitionDir(Path disk, String topic, int partition) {
        return disk.resolve("logs").resolve(topic + "-" + partition);
    }
}
