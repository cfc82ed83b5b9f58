/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what a {@link ClusterLoad} has committed, from the beginning on. One thread at a time; any may ask for the
 * count.
 */
final class LoadReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long LONGEST_SILENCE_NANOS = Duration.ofMinutes(1).toNanos();

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> all;
    private final Delivered delivered;
    private final AtomicLong count = new AtomicLong();

    LoadReader(Properties client, String topic, int partitions, int transactionWriter) {
        this.delivered = new Delivered(partitions, transactionWriter);
        this.all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        this.consumer = committed(client, all);
    }

    /** Reads these partitions from the beginning on, and only what is committed. */
    static KafkaConsumer<byte[], byte[]> committed(Properties client, List<TopicPartition> partitions) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("isolation.level", "read_committed");
        properties.put("auto.offset.reset", "none");
        properties.put("enable.auto.commit", "false");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes);
        consumer.assign(partitions);
        partitions.forEach(partition -> consumer.seek(partition, 0));
        return consumer;
    }

    void readSome() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            delivered.add(record.partition(), Tagged.of(record));
            count.incrementAndGet();
        }
    }

    /** How many records were read. */
    long count() {
        return count.get();
    }

    /** Reads until the ends that the partitions have now; answers all that was read. */
    Delivered readToEnds() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        long read = count();
        long deadlineNanos = System.nanoTime() + LONGEST_SILENCE_NANOS;
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError("reading stopped before " + ends + ": " + delivered);
            }
            readSome();
            if (count() > read) {
                read = count();
                deadlineNanos = System.nanoTime() + LONGEST_SILENCE_NANOS;
            }
        }
        return delivered;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
