/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.soak;

import io.evenkeel.testkit.Leaders;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is cut by retention, one that is compacted, and in each round one that comes and goes; written to at a
 * steady rate and read at its end and from its beginning. One thread drives it.
 */
final class SoakLoad {
    private static final String CUT = "cut";
    private static final String COMPACTED = "compacted";
    private static final int PARTITIONS = 4;
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

    /** Makes the topics that stay. */
    void create(long retentionBytes) throws ExecutionException, InterruptedException {
        create(CUT, Map.of("retention.bytes", "" + retentionBytes));
        create(COMPACTED, Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1"));
    }

    private void create(String topic, Map<String, String> configs) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1).configs(configs)))
                    .all()
                    .get();
        }
        Leaders.await(client, partitions(topic));
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    /** Makes a topic, writes and reads for so long, deletes the beginning of one topic and all of the new one. */
    void round(int number, Duration length) throws Exception {
        String passing = "passing-" + number;
        create(passing, Map.of());
        long endNanos = System.nanoTime() + length.toNanos();
        Thread tail = reading(endNanos, false, List.of(CUT, COMPACTED, passing));
        Thread laggard = reading(endNanos, true, List.of(CUT, COMPACTED));
        write(endNanos, List.of(CUT, COMPACTED, passing));
        tail.join();
        laggard.join();
        throwIfFailed();
        deleteBeginning();
        delete(List.of(passing));
    }

    /** Deletes the topics that stay. */
    void end() throws ExecutionException, InterruptedException {
        delete(List.of(CUT, COMPACTED));
    }

    private void delete(Collection<String> topics) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(client)) {
            admin.deleteTopics(topics).all().get();
        }
    }

    /** Of one partition, up to its middle. */
    private void deleteBeginning() throws ExecutionException, InterruptedException {
        TopicPartition partition = partitions(CUT).get(random.nextInt(PARTITIONS));
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

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    private void write(long endNanos, List<String> topics) {
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
                        new ProducerRecord<>(topics.get(i % topics.size()), key, value.clone()),
                        (metadata, error) -> failure.compareAndSet(null, error));
                sentBytes += VALUE_BYTES;
            }
        }
    }

    /** A consumer of its own, at the ends, or from the beginnings on again and again. */
    private Thread reading(long endNanos, boolean fromBeginning, List<String> topics) {
        List<TopicPartition> all =
                topics.stream().flatMap(topic -> partitions(topic).stream()).toList();
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
