/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

/** Admin requests of the tests; each call waits for its response. */
public final class Topics {
    private static final long DEADLINE_SECONDS = 30;

    private final Properties client;

    public Topics(Broker broker) {
        this(broker.clientProperties());
    }

    /**
     * The topics of the cluster that a client configuration leads to.
     *
     * @param client the configuration of an admin client
     */
    public Topics(Properties client) {
        this.client = client;
    }

    public void create(Records records, Map<String, String> configs) {
        NewTopic topic = new NewTopic(records.topic(), records.partitions(), (short) 1).configs(configs);
        ask(admin -> admin.createTopics(List.of(topic)).all());
    }

    /**
     * Creates a topic with the given replicas.
     *
     * @param replicas of each partition, the preferred leader first
     */
    public void create(String topic, Map<Integer, List<Integer>> replicas, Map<String, String> configs) {
        ask(admin -> admin.createTopics(List.of(new NewTopic(topic, replicas).configs(configs)))
                .all());
    }

    public void configure(String topic, Map<String, String> configs) {
        configure(new ConfigResource(ConfigResource.Type.TOPIC, topic), configs);
    }

    public void configureBroker(int id, Map<String, String> configs) {
        configure(new ConfigResource(ConfigResource.Type.BROKER, String.valueOf(id)), configs);
    }

    public void configureGroup(String group, Map<String, String> configs) {
        configure(new ConfigResource(ConfigResource.Type.GROUP, group), configs);
    }

    private void configure(ConfigResource resource, Map<String, String> configs) {
        List<AlterConfigOp> operations = configs.entrySet().stream()
                .map(entry ->
                        new AlterConfigOp(new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        ask(admin -> admin.incrementalAlterConfigs(Map.of(resource, operations)).all());
    }

    public long earliest(String topic, int partition) {
        return offset(topic, partition, OffsetSpec.earliest()).offset();
    }

    public long latest(String topic, int partition) {
        return offset(topic, partition, OffsetSpec.latest()).offset();
    }

    /** The last stable offset, up to which consumers with read_committed read. */
    public long lastStable(String topic, int partition) {
        TopicPartition asked = new TopicPartition(topic, partition);
        return ask(admin -> admin.listOffsets(
                                Map.of(asked, OffsetSpec.latest()),
                                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                        .partitionResult(asked))
                .offset();
    }

    public ListOffsetsResultInfo offset(String topic, int partition, OffsetSpec spec) {
        TopicPartition asked = new TopicPartition(topic, partition);
        return ask(admin -> admin.listOffsets(Map.of(asked, spec)).partitionResult(asked));
    }

    public void delete(String topic) {
        ask(admin -> admin.deleteTopics(List.of(topic)).all());
    }

    public void deleteRecordsBefore(String topic, int partition, long offset) {
        ask(admin -> admin.deleteRecords(
                        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all());
    }

    public void move(String topic, int partition, String logDir) {
        ask(admin -> admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica(topic, partition, 1), logDir))
                .all());
    }

    /** Puts partition 0 on these brokers; returns when it is there and nowhere else. */
    public void reassign(String topic, List<Integer> replicas) {
        reassign(topic, Map.of(0, replicas));
    }

    /**
     * Puts each partition on these brokers, the preferred leader first; returns when all are there and nowhere else.
     */
    public void reassign(String topic, Map<Integer, List<Integer>> replicas) {
        Map<TopicPartition, Optional<NewPartitionReassignment>> asked = new HashMap<>();
        replicas.forEach((partition, ids) ->
                asked.put(new TopicPartition(topic, partition), Optional.of(new NewPartitionReassignment(ids))));
        ask(admin -> admin.alterPartitionReassignments(asked).all());
        await().atMost(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .until(() -> ask(admin ->
                                admin.listPartitionReassignments(asked.keySet()).reassignments())
                        .isEmpty());
    }

    /** Makes each partition's first replica its leader, where it is in sync and does not lead already. */
    public void electPreferred(String topic, int partitions) {
        Set<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toSet());
        ask(admin -> admin.electLeaders(ElectionType.PREFERRED, all).partitions());
    }

    /** The broker that leads the quorum of controllers. */
    public int activeController() {
        return ask(admin -> admin.describeMetadataQuorum().quorumInfo()).leaderId();
    }

    /** Makes a replica leader of partition 0: the preferred one, or any that lives even if it lacks records. */
    public void elect(String topic, ElectionType type) {
        ask(admin ->
                admin.electLeaders(type, Set.of(new TopicPartition(topic, 0))).all());
    }

    /** Partition 0 in the controller's metadata. */
    public TopicPartitionInfo partition(String topic) {
        return partitions(topic).get(0);
    }

    /** All partitions in the controller's metadata. */
    public List<TopicPartitionInfo> partitions(String topic) {
        TopicDescription description = ask(
                admin -> admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
        return description.partitions();
    }

    /** Waits until each replica of a topic is in sync, also while brokers come and go. */
    public void awaitInSync(String topic, Duration deadline) {
        await(topic + " is in sync")
                .atMost(deadline)
                .ignoreExceptions()
                .until(() -> partitions(topic).stream()
                        .allMatch(partition ->
                                partition.isr().size() == partition.replicas().size()));
    }

    /** Creates a consumer group with that committed offset. */
    public void commit(String group, String topic, int partition, long offset) {
        ask(admin -> admin.alterConsumerGroupOffsets(
                        group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
                .all());
    }

    public Set<String> names() {
        return ask(admin -> admin.listTopics().names());
    }

    private <T> T ask(Function<Admin, KafkaFuture<T>> question) {
        try (Admin admin = Admin.create(client)) {
            return question.apply(admin).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the broker did not answer the admin request", e);
        }
    }
}
