/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import io.evenkeel.testkit.Broker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The records that a consumer reads from a partition, in a form that can be compared. Stateless. */
final class Reading {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private Reading() {}

    /** All of partition 0, from the beginning that it has now to the end that it has now. */
    static List<String> all(Broker broker, String topic) {
        return all(broker.clientProperties(), topic, Map.of());
    }

    /** As {@link #all(Broker, String)}, with more settings of the consumer. */
    static List<String> all(Properties client, String topic, Map<String, String> more) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("enable.auto.commit", "false");
        properties.put("auto.offset.reset", "none");
        properties.putAll(more);
        TopicPartition partition = new TopicPartition(topic, 0);
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            List<String> found = new ArrayList<>();
            long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
            while (consumer.position(partition) < end) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new AssertionError("reading " + partition + " stopped at " + consumer.position(partition)
                            + " of " + end + " after " + found.size() + " records");
                }
                consumer.poll(Duration.ofMillis(200)).forEach(record -> found.add(describe(record)));
            }
            return found;
        }
    }

    private static String describe(ConsumerRecord<byte[], byte[]> found) {
        return found.offset() + " " + found.timestampType() + " " + found.timestamp() + " "
                + Arrays.hashCode(found.key()) + " " + Arrays.hashCode(found.value());
    }
}
