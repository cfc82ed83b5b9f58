/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.benchmarks.lab.Topic;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The load of the soak: a topic with retention, a compacted topic, and in each round a topic that comes and goes. A
 * producer writes to them at a steady rate; one consumer reads at their ends and one from their beginnings. One thread
 * drives the load.
 */
final class SoakLoad {
    private static final int PARTITIONS = 4;
    private static final Topic CUT = topic("cut");
    private static final Topic COMPACTED = topic("compacted");
    private static final int KEYS = 2000;
    private static final int VALUE_BYTES = 2000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Properties client;
    private final long bytesPerSecond;
    private final Random random = new Random(1);
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    SoakLoad(Properties client, long bytesPerSecond) {
        this.client = client;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Creates the topics that stay. */
    void create(long retentionBytes) throws ExecutionException, InterruptedException {
        CUT.create(client, Map.of("retention.bytes", "" + retentionBytes));
        COMPACTED.create(client, Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1"));
    }

    private static Topic topic(String name) {
        return new Topic(name, PARTITIONS);
    }

    /**
     * Creates a topic, writes and reads for the given time, deletes the beginning of one partition, and deletes the new
     * topic.
     */
    void round(int number, Duration length) throws Exception {
        Topic passing = topic("passing-" + number);
        passing.create(client);
        long endNanos = System.nanoTime() + length.toNanos();
        Thread tail = reading(endNanos, false, List.of(CUT, COMPACTED, passing));
        Thread laggard = reading(endNanos, true, List.of(CUT, COMPACTED));
        write(endNanos, List.of(CUT, COMPACTED, passing));
        tail.join();
        laggard.join();
        throwIfFailed();
        deleteBeginning();
        passing.delete(client);
    }

    /** Deletes the topics that stay. */
    void end() throws ExecutionException, InterruptedException {
        CUT.delete(client);
        COMPACTED.delete(client);
    }

    /** Deletes the records of one partition up to its middle. */
    private void deleteBeginning() throws ExecutionException, InterruptedException {
        TopicPartition partition = CUT.topicPartitions().get(random.nextInt(PARTITIONS));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client, bytes, bytes);
                Admin admin = Admin.create(client)) {
            long begin = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset((begin + end) / 2)))
                    .all()
                    .get();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    private void write(long endNanos, List<Topic> topics) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        byte[] value = new byte[VALUE_BYTES];
        long startNanos = System.nanoTime();
        long sentBytes = 0;
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            for (int i = 0; System.nanoTime() - endNanos < 0; i++) {
                while (sentBytes > (System.nanoTime() - startNanos) * 1e-9 * bytesPerSecond) {
                    LockSupport.parkNanos(TICK_NANOS);
                }
                random.nextBytes(value);
                byte[] key = ByteBuffer.allocate(Integer.BYTES)
                        .putInt(random.nextInt(KEYS))
                        .array();
                producer.send(
                        new ProducerRecord<>(topics.get(i % topics.size()).name(), key, value.clone()),
                        (metadata, error) -> failure.compareAndSet(null, error));
                sentBytes += VALUE_BYTES;
            }
        }
    }

    /** Starts a consumer that reads at the ends, or from the beginnings again and again. */
    private Thread reading(long endNanos, boolean fromBeginning, List<Topic> topics) {
        List<TopicPartition> all = topics.stream()
                .flatMap(topic -> topic.topicPartitions().stream())
                .toList();
        Thread reader = new Thread(() -> read(endNanos, fromBeginning, all), fromBeginning ? "laggard" : "tail");
        reader.start();
        return reader;
    }

    private void read(long endNanos, boolean fromBeginning, List<TopicPartition> all) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("enable.auto.commit", "false");
        properties.put("auto.offset.reset", fromBeginning ? "earliest" : "latest");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            consumer.assign(all);
            while (System.nanoTime() - endNanos < 0) {
                if (consumer.poll(POLL).isEmpty() && fromBeginning) {
                    consumer.seekToBeginning(all);
                }
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void throwIfFailed() {
        Exception cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("the load failed", cause);
        }
    }
}
