/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic a little at a time, from its beginning or from anywhere, and checks each record. One thread at a time.
 */
final class RecordReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Records records;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Random random = new Random(1);

    /** Stands at the beginning of each partition. */
    RecordReader(Broker broker, Records records) {
        this.records = records;
        this.partitions = IntStream.range(0, records.partitions())
                .mapToObj(partition -> new TopicPartition(records.topic(), partition))
                .toList();
        Properties properties = broker.clientProperties();
        properties.put("auto.offset.reset", "none");
        properties.put("enable.auto.commit", "false");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        this.consumer = new KafkaConsumer<>(properties, bytes, bytes);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        consumer.assign(partitions);
        beginnings.forEach(consumer::seek);
    }

    /** Waits for the next records and checks them. */
    void readOn() {
        while (!readSome()) {
            // wait on
        }
    }

    /** Checks the next records; false when none came for a moment. */
    boolean readSome() {
        ConsumerRecords<byte[], byte[]> found = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : found) {
            records.check(record);
        }
        return !found.isEmpty();
    }

    /** The offset that is read next. */
    long position(int partition) {
        return consumer.position(partitions.get(partition));
    }

    /** How many connections it has made until now. */
    long connections() {
        return consumer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("connection-creation-total"))
                .mapToLong(metric -> ((Number) metric.metricValue()).longValue())
                .sum();
    }

    /** As {@link #readOn()}, somewhere else in each partition. */
    void readAnywhere() {
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        beginnings.forEach((partition, begin) ->
                consumer.seek(partition, random.nextLong(begin, Objects.requireNonNull(ends.get(partition)))));
        readOn();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
