/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;

/**
 * The disks and settings of the flush benchmarks' brokers. Immutable.
 *
 * @param dir for files that are on none of the disks
 * @param disks where the disks are mounted; the log directories are there
 * @param devices the names of the disks' devices as in {@code /sys/block}; empty when they are unknown
 * @param patchedProperties more {@code server.properties} for a patched broker
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
            "--operations",
            "--jvm",
            "--set");

    static FlushLab parse(String[] args) {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        return new FlushLab(
                arguments.path("--dir"),
                arguments.all("--disks").stream().map(Path::of).toList(),
                arguments.all("--devices"),
                arguments,
                arguments.properties("--set"));
    }

    /** A lab with these properties for a patched broker, unless the arguments set them. */
    FlushLab orElse(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.putAll(patchedProperties);
        return new FlushLab(dir, disks, devices, arguments, all);
    }

    /** The variants that the arguments name, or others. */
    List<Variant> variants(List<Variant> otherwise) {
        List<String> names = arguments.all("--variants");
        return names.isEmpty() ? otherwise : Variant.named(names, FlushVariants.ALL);
    }

    /** The name of a disk's device; empty when it is unknown. */
    String device(int disk) {
        return devices.isEmpty() ? "" : devices.get(disk);
    }

    Backlog topic(int valueBytes) {
        return new Backlog("events", arguments.number("--partitions", 64), valueBytes, 0);
    }

    /** Starts a broker on new, empty directories of all disks. */
    ForkedBroker start(Variant variant) throws IOException {
        remove();
        BrokerConfig stock = LabBroker.config(dir.resolve("node"), arguments.all("--jvm"))
                .withLogDirs(disks.stream().map(disk -> disk.resolve("logs")).toArray(Path[]::new))
                .with("log.segment.bytes", segmentBytes())
                .with("log.retention.bytes", segmentBytes())
                .with("log.retention.check.interval.ms", 5000)
                .with("log.segment.delete.delay.ms", 1000);
        List<Path> cgroups = arguments.all("--cgroup").stream().map(Path::of).toList();
        return LabBroker.start(variant.config(stock, patchedProperties), cgroups);
    }

    /** Removes the files of the last broker, and returns when the disks have no writes left. */
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
            Disks.writeBack(disk);
        }
    }

    /**
     * Creates the topic, and leaves between nothing and a segment in each partition, so that they do not all roll at
     * the same instant and the page cache is as full as that of a broker that has been up for long.
     */
    void create(Backlog topic, ForkedBroker broker) throws IOException, InterruptedException, ExecutionException {
        topic.create(broker.clientProperties());
        topic.fill(broker.clientProperties(), segmentBytes());
        writeBack();
        try (Gauges gauges = new Gauges(broker)) {
            while (gauges.flush().getOrDefault(FlushGauges.PENDING_BYTES, 0L) > 0) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    /** The default is so large that a short run has few rolls, and so small that a long run fits on the disk. */
    private int segmentBytes() {
        return arguments.number("--segment-mib", 64) << 20;
    }

    /** The directory of a partition, on the disk that has it. */
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
