/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that holds records before the measurement begins. Immutable.
 *
 * @param records in each partition, about: the ends of the partitions are spread over a segment, so that the partitions
 *     do not all roll at the same instant
 */
public record Backlog(String name, int partitions, int valueBytes, long records) {
    public List<TopicPartition> topicPartitions() {
        return topic().topicPartitions();
    }

    private Topic topic() {
        return new Topic(name, partitions);
    }

    /** Incompressible bytes. */
    byte[] value() {
        byte[] value = new byte[valueBytes];
        new Random(1).nextBytes(value);
        return value;
    }

    public void create(Properties client) throws ExecutionException, InterruptedException {
        topic().create(client);
    }

    /** How many more records a partition gets than the first one. */
    private long ahead(int partition, int segmentBytes) {
        return (long) segmentBytes / valueBytes * partition / partitions;
    }

    /** Produces the records as fast as the broker takes them. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    public void fill(Properties client, int segmentBytes) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        properties.put("batch.size", String.valueOf(128 << 10));
        properties.put("delivery.timeout.ms", "600000");
        properties.put("max.block.ms", "600000");
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        ByteArraySerializer bytes = new ByteArraySerializer();
        byte[] value = value();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            for (long i = -ahead(partitions - 1, segmentBytes); i < records; i++) {
                for (int partition = 0; partition < partitions; partition++) {
                    if (i + ahead(partition, segmentBytes) < 0) {
                        continue;
                    }
                    producer.send(new ProducerRecord<>(name, partition, null, value), (metadata, error) -> {
                        if (error != null) {
                            failure.set(error);
                        }
                    });
                }
            }
            producer.flush();
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("producing the backlog failed", failed);
        }
    }
}
