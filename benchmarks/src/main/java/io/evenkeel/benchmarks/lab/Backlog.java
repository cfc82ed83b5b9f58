/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.testkit.Leaders;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic with something in it to lag behind. Immutable.
 *
 * @param records in each partition, about: the partitions' ends are spread over a segment, so that they do not roll all
 *     at the same instant from then on
 */
public record Backlog(String name, int partitions, int valueBytes, long records) {
    public List<TopicPartition> topicPartitions() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(name, partition))
                .toList();
    }

    /** Incompressible bytes. */
    byte[] value() {
        byte[] value = new byte[valueBytes];
        new Random(1).nextBytes(value);
        return value;
    }

    public void create(Properties client) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.of((short) 1))))
                    .all()
                    .get();
        }
        Leaders.await(client, topicPartitions());
    }

    /** How much more there is in a partition than in the first. */
    private long ahead(int partition, int segmentBytes) {
        return (long) segmentBytes / valueBytes * partition / partitions;
    }

    /** Produces all of it, as fast as it goes. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
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
