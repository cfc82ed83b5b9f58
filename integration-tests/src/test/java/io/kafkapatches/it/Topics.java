/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;

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

    /** @param replicas of each partition, the preferred leader first */
    void create(String topic, Map<Integer, List<Integer>> replicas, Map<String, String> configs) {
        ask(admin -> admin.createTopics(List.of(new NewTopic(topic, replicas).configs(configs)))
                .all());
    }

    void configure(String topic, Map<String, String> configs) {
        configure(new ConfigResource(ConfigResource.Type.TOPIC, topic), configs);
    }

    void configureBroker(int id, Map<String, String> configs) {
        configure(new ConfigResource(ConfigResource.Type.BROKER, String.valueOf(id)), configs);
    }

    private void configure(ConfigResource resource, Map<String, String> configs) {
        List<AlterConfigOp> operations = configs.entrySet().stream()
                .map(entry ->
                        new AlterConfigOp(new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        ask(admin -> admin.incrementalAlterConfigs(Map.of(resource, operations)).all());
    }

    long earliest(String topic, int partition) {
        return offset(topic, partition, OffsetSpec.earliest()).offset();
    }

    long latest(String topic, int partition) {
        return offset(topic, partition, OffsetSpec.latest()).offset();
    }

    /** Up to where consumers see that read what is committed only. */
    long lastStable(String topic, int partition) {
        TopicPartition asked = new TopicPartition(topic, partition);
        return ask(admin -> admin.listOffsets(
                                Map.of(asked, OffsetSpec.latest()),
                                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                        .partitionResult(asked))
                .offset();
    }

    ListOffsetsResultInfo offset(String topic, int partition, OffsetSpec spec) {
        TopicPartition asked = new TopicPartition(topic, partition);
        return ask(admin -> admin.listOffsets(Map.of(asked, spec)).partitionResult(asked));
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

    /** Puts partition 0 on these brokers; returns when it is there and nowhere else. */
    void reassign(String topic, List<Integer> replicas) {
        TopicPartition partition = new TopicPartition(topic, 0);
        ask(admin -> admin.alterPartitionReassignments(
                        Map.of(partition, Optional.of(new NewPartitionReassignment(replicas))))
                .all());
        await().atMost(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .until(() -> ask(admin -> admin.listPartitionReassignments(Set.of(partition))
                                .reassignments())
                        .isEmpty());
    }

    /** Makes a replica leader of partition 0: the preferred one, or any that lives even if it lacks records. */
    void elect(String topic, ElectionType type) {
        ask(admin ->
                admin.electLeaders(type, Set.of(new TopicPartition(topic, 0))).all());
    }

    /** Partition 0 as the controller has it. */
    TopicPartitionInfo partition(String topic) {
        TopicDescription description = ask(
                admin -> admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
        return description.partitions().get(0);
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
