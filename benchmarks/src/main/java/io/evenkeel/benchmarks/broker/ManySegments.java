/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.benchmarks.lab.Topic;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker's directories with many tiny segments. A stock broker fills one partition; the files of that partition are
 * then copied to the others. Immutable.
 *
 * @param segments of each partition
 */
record ManySegments(int partitions, int segments) {
    private static final String TOPIC = "events";
    private static final long STEP_MS = 1000;
    private static final int SEGMENT_BYTES = 1 << 20;
    /** Far above the space that the segments use and the active ones reserve: nothing is evicted. */
    private static final long SSD_CAPACITY_BYTES = 16L << 30;

    /** About {@code total} segments, in partitions of a hundred. */
    static ManySegments ofAbout(int total) {
        return new ManySegments(Math.max(1, total / 100), Math.min(100, total));
    }

    int total() {
        return partitions * segments;
    }

    /** A stock broker for such directories. */
    static BrokerConfig stock(Path dir, List<String> jvmFlags) {
        return BrokerConfig.under(dir, 1, 0).withJvmFlags(jvmFlags).with("log.segment.bytes", SEGMENT_BYTES);
    }

    /** A patched broker for such directories. */
    static BrokerConfig patched(Path dir, List<String> jvmFlags) {
        return BrokerConfig.under(dir, 1, 1)
                .withJvmFlags(jvmFlags)
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("tiered.ssd.capacity.bytes", SSD_CAPACITY_BYTES)
                .patched();
    }

    /** Fills a broker's new directories; all segments are on the HDD. */
    void make(BrokerConfig config) throws IOException, InterruptedException, ExecutionException {
        try (ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config.stock()).start()) {
            new Topic(TOPIC, partitions)
                    .create(broker.clientProperties(), Map.of("segment.ms", "1", "retention.ms", "-1"));
            fill(broker.clientProperties());
            broker.stop();
        }
        Path first = dir(config, 0);
        for (int partition = 1; partition < partitions; partition++) {
            copy(first, dir(config, partition));
        }
    }

    /**
     * Puts the segments into the states in which the tier leaves them: the newest of each partition only on the SSD; of
     * the others, the older half on the HDD and the newer half on both devices. The broker is started before, to claim
     * the SSD, and stopped.
     */
    void tier(ForkedBroker broker) throws IOException {
        broker.start();
        broker.stop();
        BrokerConfig config = broker.config();
        Path onSsd = config.ssdDirs().get(0).resolve(directoryId(config));
        for (int partition = 0; partition < partitions; partition++) {
            Path hdd = dir(config, partition);
            Path ssd = Files.createDirectories(onSsd.resolve(hdd.getFileName()));
            List<Path> logs = segmentFiles(hdd);
            for (Path log : logs.subList(segments / 2, segments)) {
                Path copy = ssd.resolve(log.getFileName());
                Files.deleteIfExists(copy);
                Files.copy(log, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
            Path newest = logs.get(segments - 1);
            Files.delete(newest);
            Files.createSymbolicLink(newest, ssd.resolve(newest.getFileName()));
        }
    }

    /** Each record is a second younger than the one before, so it begins a new segment. */
    private void fill(Properties client) throws InterruptedException, ExecutionException {
        ByteArraySerializer bytes = new ByteArraySerializer();
        long firstMs = System.currentTimeMillis() - segments * STEP_MS;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(client, bytes, bytes)) {
            for (int i = 0; i < segments; i++) {
                producer.send(new ProducerRecord<>(TOPIC, 0, firstMs + i * STEP_MS, null, new byte[100]))
                        .get();
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(to)) {
            Files.delete(file);
        }
        for (Path file : files(from)) {
            Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private List<Path> segmentFiles(Path dir) throws IOException {
        List<Path> logs = files(dir).stream()
                .filter(file -> file.toString().endsWith(".log"))
                .toList();
        if (logs.size() != segments) {
            throw new IOException(logs.size() + " segments instead of " + segments + " in " + dir);
        }
        return logs;
    }

    private static List<Path> files(Path dir) throws IOException {
        try (Stream<Path> list = Files.list(dir)) {
            return list.sorted().toList();
        }
    }

    private static Path dir(BrokerConfig config, int partition) {
        return config.logDirs().get(0).resolve(TOPIC + "-" + partition);
    }

    private static String directoryId(BrokerConfig config) throws IOException {
        Properties meta = new Properties();
        try (Reader reader = Files.newBufferedReader(config.logDirs().get(0).resolve("meta.properties"))) {
            meta.load(reader);
        }
        return meta.getProperty("directory.id");
    }
}
