/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The records that a topic must hold: every byte of a record is a function of topic, partition and offset. Immutable.
 *
 * <p>A writer that gives each record the offset it will get (see {@link RecordWriter}) needs no memory of the records:
 * a reader computes the record that belongs at an offset and compares.
 *
 * @param firstTimestampMs the timestamp at offset 0; each offset is a millisecond later
 * @param valueBytes mean size of a value; sizes vary by half of it up and down
 */
public record Records(String topic, int partitions, long firstTimestampMs, int valueBytes) {
    private static final Duration READ_DEADLINE = Duration.ofSeconds(60);

    /** The offsets of one partition, {@code end} excluded. */
    public record Range(long first, long end) {
        public long count() {
            return end - first;
        }
    }

    /** Records with timestamps from now on. */
    public Records(String topic, int partitions, int valueBytes) {
        this(topic, partitions, System.currentTimeMillis(), valueBytes);
    }

    /** The record that belongs at that offset. */
    public ProducerRecord<byte[], byte[]> at(int partition, long offset) {
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
        return new ProducerRecord<>(
                topic,
                partition,
                firstTimestampMs + offset,
                key,
                value(partition, offset),
                List.of(new RecordHeader("partition", new byte[] {(byte) partition})));
    }

    /** Incompressible bytes, other ones for each topic, partition and offset. */
    public byte[] value(int partition, long offset) {
        SplittableRandom random = new SplittableRandom(topic.hashCode() * 31L * 31 + partition * 31L ^ offset << 20);
        byte[] value = new byte[valueBytes / 2 + random.nextInt(valueBytes + 1)];
        random.nextBytes(value);
        return value;
    }

    /** Throws an {@link AssertionError} that names the place unless the record belongs at its offset. */
    public void check(ConsumerRecord<byte[], byte[]> found) {
        ProducerRecord<byte[], byte[]> expected = at(found.partition(), found.offset());
        String place = topic + "-" + found.partition() + " at offset " + found.offset();
        if (!Arrays.equals(expected.key(), found.key())) {
            throw new AssertionError("key differs: " + place + ", found " + Arrays.toString(found.key()));
        }
        if (!Arrays.equals(expected.value(), found.value())) {
            int length = found.value() == null ? -1 : found.value().length;
            throw new AssertionError(
                    "value differs: %s, %d bytes instead of %d".formatted(place, length, expected.value().length));
        }
        if (expected.timestamp() != found.timestamp()) {
            throw new AssertionError("timestamp differs: " + place + ", found " + found.timestamp());
        }
        if (!Arrays.equals(expected.headers().toArray(), found.headers().toArray())) {
            throw new AssertionError("headers differ: " + place + ", found " + found.headers());
        }
    }

    /** Appends that many records to each partition and waits until all are acknowledged. */
    public void produce(Properties client, long perPartition) {
        try (RecordWriter writer = new RecordWriter(this, client)) {
            for (long i = 0; i < perPartition; i++) {
                for (int partition = 0; partition < partitions; partition++) {
                    writer.send(partition);
                }
            }
            writer.flush();
        }
    }

    /**
     * Reads every partition from its beginning to the end it has now, and checks each record and that no offset is
     * missing; returns the offsets that each partition holds.
     */
    public Map<Integer, Range> verifyAll(Properties client) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("auto.offset.reset", "none");
        properties.put("enable.auto.commit", "false");
        properties.put("max.poll.records", "5000");
        properties.put("max.partition.fetch.bytes", "4194304");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            List<TopicPartition> all = topicPartitions();
            long[] first = byPartition(consumer.beginningOffsets(all));
            long[] ends = byPartition(consumer.endOffsets(all));
            consumer.assign(all);
            all.forEach(partition -> consumer.seek(partition, first[partition.partition()]));
            readToEnds(consumer, first.clone(), ends);
            Map<Integer, Range> held = new TreeMap<>();
            for (int partition = 0; partition < partitions; partition++) {
                held.put(partition, new Range(first[partition], ends[partition]));
            }
            return held;
        }
    }

    private void readToEnds(KafkaConsumer<byte[], byte[]> consumer, long[] next, long[] ends) {
        long deadlineNanos = System.nanoTime() + READ_DEADLINE.toNanos();
        while (IntStream.range(0, partitions).anyMatch(partition -> next[partition] < ends[partition])) {
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError(
                        "reading stopped at " + Arrays.toString(next) + " before " + Arrays.toString(ends));
            }
            for (ConsumerRecord<byte[], byte[]> found : consumer.poll(Duration.ofMillis(200))) {
                long expected = next[found.partition()]++;
                if (found.offset() != expected) {
                    throw new AssertionError("%s-%d: found offset %d where %d was due"
                            .formatted(topic, found.partition(), found.offset(), expected));
                }
                check(found);
                deadlineNanos = System.nanoTime() + READ_DEADLINE.toNanos();
            }
        }
    }

    /** The ends that the partitions have now. */
    public long[] ends(Properties client) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client, bytes, bytes)) {
            return byPartition(consumer.endOffsets(topicPartitions()));
        }
    }

    private long[] byPartition(Map<TopicPartition, Long> offsets) {
        long[] array = new long[partitions];
        offsets.forEach((partition, offset) -> array[partition.partition()] = offset);
        return array;
    }

    private List<TopicPartition> topicPartitions() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }
}
