/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer group of one that commits what it has read and counts its errors. One thread drives it. */
final class StutterGroup implements AutoCloseable {
    static final String CLIENT = "GROUP";

    private static final Duration POLL = Duration.ofMillis(200);

    private final String group;
    private final ClientErrors errors;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> committed = new ConcurrentHashMap<>();

    StutterGroup(Properties client, String topic, ClientErrors errors) {
        this.group = topic + "-readers";
        this.errors = errors;
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("group.id", group);
        properties.put("enable.auto.commit", "false");
        properties.put("auto.offset.reset", "earliest");
        properties.put("isolation.level", "read_committed");
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of(topic));
    }

    String group() {
        return group;
    }

    /** The last offsets whose commit was acknowledged. */
    Map<TopicPartition, Long> committed() {
        return committed;
    }

    void readAndCommit() {
        try {
            if (consumer.poll(POLL).isEmpty()) {
                return;
            }
            Map<TopicPartition, OffsetAndMetadata> read = consumer.assignment().stream()
                    .collect(Collectors.toMap(
                            partition -> partition, partition -> new OffsetAndMetadata(consumer.position(partition))));
            consumer.commitSync(read);
            read.forEach((partition, offset) -> committed.put(partition, offset.offset()));
        } catch (KafkaException failed) {
            errors.add(CLIENT, failed);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
