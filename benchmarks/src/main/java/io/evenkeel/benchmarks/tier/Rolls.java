/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Topic;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * How long does an append wait that rolls its log, when an fsync of the HDD takes milliseconds?
 *
 * <p>One producer sends one record at a time, at a fixed rate. Which of them rolled the log is read from the names of
 * the segments at the end. {@code benchmarks/rolls} makes the disk slow and runs this class.
 */
public final class Rolls {
    private static final Set<String> ARGUMENTS = Set.of("--dir", "--rolls", "--rounds", "--jvm");
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int VALUE_BYTES = 50_000;
    private static final int RECORDS_PER_SEGMENT = SEGMENT_BYTES / VALUE_BYTES;
    private static final int ROLLS_PER_SECOND = 4;
    private static final int WARMUP_ROLLS = 40;
    private static final int FSYNCS = 100;
    private static final Topic TOPIC = new Topic("events", 1);
    private static final String HEADER = "| variant | rolls | appends that roll, ms: p50 / p99 / p99.9 / max"
            + " | other appends, ms: p50 / p99 / p99.9 / max |\n| --- | --- | --- | --- |";

    private final Arguments arguments;
    private final Map<Variant, List<Double>> p99 = new LinkedHashMap<>();

    private Rolls(Arguments arguments) {
        this.arguments = arguments;
    }

    /** Arguments: see {@code benchmarks/rolls --help}. */
    public static void main(String[] args) throws Exception {
        new Rolls(new Arguments(args, ARGUMENTS)).run();
    }

    private Path disk(String name) {
        return arguments.path("--dir").resolve(name);
    }

    private void run() throws Exception {
        System.out.println(Machine.describe());
        System.out.printf("fsync of one page of the HDD, ms: %s%n%n%s%n", fsyncs().describe(), HEADER);
        for (int round = 0; round < arguments.number("--rounds", 3); round++) {
            for (Variant variant : List.of(Variant.STOCK, Variant.PATCHED)) {
                p99.computeIfAbsent(variant, first -> new ArrayList<>()).add(measure(variant));
            }
        }
        p99.forEach((variant, values) ->
                System.out.printf("%n%s, p99 of rolls, ms: %s", variant.title(), Samples.spread(values, "%.1f")));
        System.out.println();
    }

    private Latencies fsyncs() throws IOException {
        Latencies latencies = new Latencies();
        Path file = Files.createDirectories(disk("hdd")).resolve("fsyncs");
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
            for (int i = 0; i < FSYNCS; i++) {
                channel.write(ByteBuffer.allocate(4096));
                long fromNanos = System.nanoTime();
                channel.force(true);
                latencies.record(System.nanoTime() - fromNanos);
            }
        }
        Files.delete(file);
        return latencies;
    }

    /** Returns the p99 of the appends that rolled, in ms. */
    private double measure(Variant variant) throws Exception {
        Path logDir = disk("hdd").resolve("kafka");
        BrokerConfig stock = LabBroker.config(disk("node"), arguments.all("--jvm"))
                .withLogDirs(logDir)
                .with("log.segment.bytes", SEGMENT_BYTES);
        Path ssd = Files.createDirectories(disk("ssd").resolve("tier"));
        Map<String, String> tier = Map.of("tiered.ssd.dirs", ssd.toString(), "tiered.ssd.capacity.bytes", "3000000000");
        try (ForkedBroker broker = LabBroker.start(variant.config(stock, tier), List.of())) {
            TOPIC.create(broker.clientProperties());
            long[] nanos = produce(broker.clientProperties());
            return report(variant, nanos, baseOffsets(logDir.resolve(TOPIC.name() + "-0")));
        } finally {
            for (String dir : List.of("node", "hdd/kafka", "ssd/tier")) {
                Utils.delete(disk(dir).toFile());
            }
            Disks.writeBack(disk("hdd"));
        }
    }

    /** The duration of the append at each offset. */
    private long[] produce(Properties client) throws Exception {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        byte[] value = new byte[VALUE_BYTES];
        new Random(1).nextBytes(value);
        long[] nanos = new long[(WARMUP_ROLLS + arguments.number("--rolls", 400)) * RECORDS_PER_SEGMENT];
        long intervalNanos = TimeUnit.SECONDS.toNanos(1) / (ROLLS_PER_SECOND * RECORDS_PER_SEGMENT);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            long due = System.nanoTime();
            for (int i = 0; i < nanos.length; i++) {
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                long fromNanos = System.nanoTime();
                int offset = (int) producer.send(new ProducerRecord<>(TOPIC.name(), 0, null, value))
                        .get()
                        .offset();
                nanos[offset] = System.nanoTime() - fromNanos;
                due = Math.max(due + intervalNanos, System.nanoTime());
            }
        }
        return nanos;
    }

    private static Set<Long> baseOffsets(Path partition) throws IOException {
        try (Stream<Path> files = Files.list(partition)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".log"))
                    .map(name -> Long.parseLong(name.substring(0, name.length() - ".log".length())))
                    .collect(Collectors.toSet());
        }
    }

    private static double report(Variant variant, long[] nanos, Set<Long> baseOffsets) {
        Latencies rolls = new Latencies();
        Latencies others = new Latencies();
        for (int offset = WARMUP_ROLLS * RECORDS_PER_SEGMENT; offset < nanos.length; offset++) {
            (baseOffsets.contains((long) offset) ? rolls : others).record(nanos[offset]);
        }
        System.out.printf(
                "| %s | %d | %s | %s |%n", variant.title(), rolls.count(), rolls.describe(), others.describe());
        return rolls.percentile(99);
    }
}
