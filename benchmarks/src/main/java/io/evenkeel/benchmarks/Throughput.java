/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Leaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Does the agent cost throughput, when nothing waits for a disk?
 *
 * <p>A stock and a patched broker run side by side; producing and page-cached consuming take turns on them in short
 * slices, in the order stock, patched, patched, stock, so that what the machine does otherwise meets both alike. The
 * copier copies as it would in production. Reported are the medians over the slices, their ratio, and the broker's CPU
 * time.
 */
public final class Throughput implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final int VALUE_BYTES = 1024;
    private static final int MIB = 1 << 20;
    private static final List<String> JVM = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC");

    private final List<Variant> variants = new ArrayList<>();
    private final int sliceMib;
    private volatile @Nullable Exception failure;

    /** One broker and what was measured on it. */
    private record Variant(String name, ForkedBroker broker, List<Double> produced, List<Double> consumed) {
        Properties client() {
            return broker.clientProperties();
        }

        Duration cpu() {
            return ProcessHandle.of(broker.pid())
                    .flatMap(process -> process.info().totalCpuDuration())
                    .orElse(Duration.ZERO);
        }
    }

    private Throughput(Path dir, int sliceMib) {
        this.sliceMib = sliceMib;
        KafkaRuntime runtime = KafkaRuntime.find();
        variants.add(start("stock", runtime, BrokerConfig.under(dir.resolve("stock"), 1, 0)));
        variants.add(start(
                "patched",
                runtime,
                BrokerConfig.under(dir.resolve("patched"), 1, 1)
                        .with("tiered.ssd.capacity.bytes", 16L << 30)
                        .patched()));
    }

    private static Variant start(String name, KafkaRuntime runtime, BrokerConfig config) {
        BrokerConfig common =
                config.withJvmFlags(JVM).with("log.segment.bytes", 64 * MIB).with("file.delete.delay.ms", 0);
        return new Variant(name, new ForkedBroker(runtime, common).start(), new ArrayList<>(), new ArrayList<>());
    }

    /** Arguments: slices a broker and phase (20), MiB a slice (192). */
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
        System.out.printf("# Throughput, stock and patched side by side%n%n%s%n%n", machine());
        for (int warmup = 0; warmup < 4; warmup++) {
            for (Variant variant : variants) {
                produce(variant, "warmup-" + warmup);
                consume(variant, "warmup-" + warmup);
                remove(variant, "warmup-" + warmup);
            }
        }
        List<Duration> cpuBefore = variants.stream().map(Variant::cpu).toList();
        for (int slice = 0; slice < slices; slice++) {
            for (Variant variant : inTurn(slice)) {
                variant.produced().add(produce(variant, "slice-" + slice));
            }
            for (Variant variant : inTurn(slice)) {
                variant.consumed().add(consume(variant, "slice-" + slice));
                remove(variant, "slice-" + slice);
            }
        }
        report(slices, cpuBefore);
    }

    private List<Variant> inTurn(int slice) {
        List<Variant> order = new ArrayList<>(variants);
        if (slice % 2 == 1) {
            order.sort(Comparator.comparing(Variant::name));
        } else {
            order.sort(Comparator.comparing(Variant::name).reversed());
        }
        return order;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    private double produce(Variant variant, String topic) throws Exception {
        create(variant, topic);
        Properties properties = variant.client();
        properties.put("acks", "all");
        properties.put("linger.ms", "5");
        properties.put("batch.size", "131072");
        properties.put("buffer.memory", "67108864");
        byte[] value = new byte[VALUE_BYTES];
        new Random(1).nextBytes(value);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            producer.partitionsFor(topic);
            int records = sliceMib * (MIB / VALUE_BYTES);
            long startNanos = System.nanoTime();
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, value), this::noteFailure);
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

    private static void create(Variant variant, String topic) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(variant.client())) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(PARTITIONS), Optional.of((short) 1))))
                    .all()
                    .get();
        }
        Leaders.await(variant.client(), partitions(topic));
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private void noteFailure(RecordMetadata metadata, @Nullable Exception error) {
        if (error != null) {
            failure = error;
        }
    }

    /** Reads all that {@link #produce} wrote, which is still in the page cache. */
    private double consume(Variant variant, String topic) {
        Properties properties = variant.client();
        properties.put("check.crcs", "false");
        properties.put("max.poll.records", "10000");
        properties.put("max.partition.fetch.bytes", String.valueOf(4 * MIB));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            List<TopicPartition> partitions = partitions(topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
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

    private static void remove(Variant variant, String topic) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(variant.client())) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    private void report(int slices, List<Duration> cpuBefore) {
        System.out.printf(
                "%d slices of %d MiB each, 1 KiB records, %d partitions, acks=all, medians:%n%n",
                slices, sliceMib, PARTITIONS);
        System.out.println("| | stock | patched | patched / stock, slice by slice |\n| --- | --- | --- | --- |");
        row("produce, MiB/s", variants.get(0).produced(), variants.get(1).produced());
        row("consume, MiB/s", variants.get(0).consumed(), variants.get(1).consumed());
        double stockCpu = seconds(variants.get(0), cpuBefore.get(0));
        double patchedCpu = seconds(variants.get(1), cpuBefore.get(1));
        System.out.printf("| broker's CPU, s | %.1f | %.1f | %.3f |%n", stockCpu, patchedCpu, patchedCpu / stockCpu);
    }

    /** The ratio is the median of the slices' own ratios: two slices in turn meet the same disturbances. */
    private static void row(String name, List<Double> stock, List<Double> patched) {
        List<Double> ratios = IntStream.range(0, stock.size())
                .mapToObj(slice -> patched.get(slice) / stock.get(slice))
                .toList();
        System.out.printf(
                "| %s | %.0f | %.0f | %.3f |%n",
                name, Samples.median(stock), Samples.median(patched), Samples.median(ratios));
    }

    private static double seconds(Variant variant, Duration before) {
        return variant.cpu().minus(before).toMillis() / 1000.0;
    }

    private static String machine() {
        return "%s, %d CPUs, %s %s, JDK %s"
                .formatted(
                        System.getProperty("os.arch"),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.version"));
    }

    @Override
    public void close() {
        variants.forEach(variant -> variant.broker().close());
    }
}
