/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;

/** What the tests ask of a broker's admin interface; each call waits for the answer. */
final class Topics {
    private static final long DEADLINE_SECONDS = 30;

    private final Broker broker;

    Topics(Broker broker) {
        this.broker = broker;
    }

    void create(Records records, Map<String, String> configs) {
        NewTopic topic = new NewTopic(records.topic(), records.partitions(), (short) 1).configs(configs);
        ask(admin -> admin.createTopics(List.of(topic)).all());
    }

    void delete(String topic) {
        ask(admin -> admin.deleteTopics(List.of(topic)).all());
    }

    void deleteRecordsBefore(String topic, int partition, long offset) {
        ask(admin -> admin.deleteRecords(
                        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all());
    }

    void move(String topic, int partition, String logDir) {
        ask(admin -> admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica(topic, partition, 1), logDir))
                .all());
    }

    /** Makes a consumer group that has read so far. */
    void commit(String group, String topic, int partition, long offset) {
        ask(admin -> admin.alterConsumerGroupOffsets(
                        group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
                .all());
    }

    Set<String> names() {
        return ask(admin -> admin.listTopics().names());
    }

    private <T> T ask(Function<Admin, KafkaFuture<T>> question) {
        try (Admin admin = Admin.create(broker.clientProperties())) {
            return question.apply(admin).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the broker did not do it", e);
        }
    }
}
