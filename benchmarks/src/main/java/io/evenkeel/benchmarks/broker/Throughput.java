/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Topic;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Does the agent cost throughput, when no request waits for a disk?
 *
 * <p>A stock and a patched broker run side by side. Producing and page-cached consuming take turns on them in short
 * slices, in the order stock, patched, patched, stock, so that other load on the machine meets both alike. The copier
 * copies as it would in production. The report has the medians over the slices, their ratio, and the brokers' CPU time.
 */
public final class Throughput implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final int VALUE_BYTES = 1024;
    private static final int MIB = 1 << 20;
    private static final List<String> JVM = LabBroker.heap("512m");

    private final List<Side> sides = new ArrayList<>();
    private final int sliceMib;
    private volatile @Nullable Exception failure;

    /** One broker, and the rates that were measured on it. */
    private record Side(ForkedBroker broker, List<Double> produced, List<Double> consumed) {
        Properties client() {
            return broker.clientProperties();
        }

        double cpuSeconds() {
            return Usage.cpuNanos(broker.pid()) / 1e9;
        }
    }

    private Throughput(Path dir, int sliceMib) {
        this.sliceMib = sliceMib;
        KafkaRuntime runtime = KafkaRuntime.find();
        sides.add(start(Variant.STOCK, runtime, BrokerConfig.under(dir.resolve("stock"), 1, 0)));
        sides.add(start(
                Variant.PATCHED,
                runtime,
                BrokerConfig.under(dir.resolve("patched"), 1, 1).with("tiered.ssd.capacity.bytes", 16L << 30)));
    }

    private static Side start(Variant variant, KafkaRuntime runtime, BrokerConfig config) {
        BrokerConfig common =
                config.withJvmFlags(JVM).with("log.segment.bytes", 64 * MIB).with("file.delete.delay.ms", 0);
        ForkedBroker broker = new ForkedBroker(runtime, variant.config(common, Map.of())).start();
        return new Side(broker, new ArrayList<>(), new ArrayList<>());
    }

    /** Arguments: the number of slices for each broker and direction (20), MiB a slice (192). */
    public static void main(String[] args) throws Exception {
        if (args.length > 2) {
            System.err.println("usage: Throughput [slices] [MiB a slice]");
            System.exit(2);
        }
        int slices = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int sliceMib = args.length > 1 ? Integer.parseInt(args[1]) : 192;
        Path dir = Files.createDirectories(Path.of("benchmarks", "target", "throughput"))
                .toAbsolutePath();
        Utils.delete(dir.toFile());
        try (Throughput throughput = new Throughput(dir, sliceMib)) {
            throughput.run(slices);
        } finally {
            Utils.delete(dir.toFile());
        }
    }

    private void run(int slices) throws Exception {
        System.out.printf("# Throughput, stock and patched side by side%n%n%s%n%n", Machine.describe());
        for (int warmup = 0; warmup < 4; warmup++) {
            Topic topic = topic("warmup-" + warmup);
            for (Side side : sides) {
                produce(side, topic);
                consume(side, topic);
                topic.delete(side.client());
            }
        }
        List<Double> cpuBefore = sides.stream().map(Side::cpuSeconds).toList();
        for (int slice = 0; slice < slices; slice++) {
            Topic topic = topic("slice-" + slice);
            for (Side side : inTurn(slice)) {
                side.produced().add(produce(side, topic));
            }
            for (Side side : inTurn(slice)) {
                side.consumed().add(consume(side, topic));
                topic.delete(side.client());
            }
        }
        report(slices, cpuBefore);
    }

    private List<Side> inTurn(int slice) {
        List<Side> order = new ArrayList<>(sides);
        if (slice % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    private static Topic topic(String name) {
        return new Topic(name, PARTITIONS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    private double produce(Side side, Topic topic) throws Exception {
        topic.create(side.client());
        Properties properties = side.client();
        properties.put("acks", "all");
        properties.put("linger.ms", "5");
        properties.put("batch.size", "131072");
        properties.put("buffer.memory", "67108864");
        byte[] value = new byte[VALUE_BYTES];
        new Random(1).nextBytes(value);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            producer.partitionsFor(topic.name());
            int records = sliceMib * (MIB / VALUE_BYTES);
            long startNanos = System.nanoTime();
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic.name(), i % PARTITIONS, null, value), this::noteFailure);
            }
            producer.flush();
            double rate = mibPerSecond(startNanos);
            Exception failed = failure;
            if (failed != null) {
                throw failed;
            }
            return rate;
        }
    }

    private void noteFailure(RecordMetadata metadata, @Nullable Exception error) {
        if (error != null) {
            failure = error;
        }
    }

    /** Reads all records that {@link #produce} wrote; they are still in the page cache. */
    private double consume(Side side, Topic topic) {
        Properties properties = side.client();
        properties.put("check.crcs", "false");
        properties.put("max.poll.records", "10000");
        properties.put("max.partition.fetch.bytes", String.valueOf(4 * MIB));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            consumer.assign(topic.topicPartitions());
            consumer.seekToBeginning(topic.topicPartitions());
            long wanted = (long) sliceMib * (MIB / VALUE_BYTES);
            long startNanos = System.nanoTime();
            for (long read = 0; read < wanted; ) {
                read += consumer.poll(Duration.ofSeconds(10)).count();
            }
            return mibPerSecond(startNanos);
        }
    }

    private double mibPerSecond(long startNanos) {
        return sliceMib / ((System.nanoTime() - startNanos) / 1e9);
    }

    private void report(int slices, List<Double> cpuBefore) {
        System.out.printf(
                "%d slices of %d MiB each, 1 KiB records, %d partitions, acks=all: median (middle half)%n%n",
                slices, sliceMib, PARTITIONS);
        System.out.println("| | stock | patched | patched / stock, slice by slice |\n| --- | --- | --- | --- |");
        row("produce, MiB/s", sides.get(0).produced(), sides.get(1).produced());
        row("consume, MiB/s", sides.get(0).consumed(), sides.get(1).consumed());
        double stockCpu = sides.get(0).cpuSeconds() - cpuBefore.get(0);
        double patchedCpu = sides.get(1).cpuSeconds() - cpuBefore.get(1);
        System.out.printf("| broker's CPU, s | %.1f | %.1f | %.3f |%n", stockCpu, patchedCpu, patchedCpu / stockCpu);
    }

    /** The ratio is the median of the ratios of all slices, because two slices in turn meet the same disturbances. */
    private static void row(String name, List<Double> stock, List<Double> patched) {
        System.out.printf(
                "| %s | %s | %s | %s |%n",
                name,
                Samples.middleHalf(stock, "%.0f"),
                Samples.middleHalf(patched, "%.0f"),
                Samples.middleHalf(Samples.ratios(patched, stock), "%.3f"));
    }

    @Override
    public void close() {
        sides.forEach(side -> side.broker().close());
    }
}
