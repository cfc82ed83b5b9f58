/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker under test that leads all partitions, and a stock one that follows. One thread drives them. */
final class FetchedCluster implements AutoCloseable {
    private static final List<String> JVM = LabBroker.heap("1g");
    private static final int LEADER = 1;
    private static final int FOLLOWER = 2;
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private final Variant variant;
    private final ForkedBroker leader;
    private final ForkedBroker follower;

    FetchedCluster(Variant variant, Path dir) {
        this.variant = variant;
        BrokerConfig first = BrokerConfig.under(dir.resolve(variant.name()).resolve("leader"), 1, 0)
                .withJvmFlags(JVM);
        BrokerConfig second = BrokerConfig.under(dir.resolve(variant.name()).resolve("follower"), 1, 0)
                .withJvmFlags(JVM);
        this.leader = new ForkedBroker(KafkaRuntime.find(), variant.config(first, Map.of()));
        this.follower = new ForkedBroker(
                KafkaRuntime.find(),
                second.with(Map.of(
                        "process.roles",
                        "broker",
                        "node.id",
                        String.valueOf(FOLLOWER),
                        "controller.quorum.voters",
                        LEADER + "@localhost:" + first.controllerPort(),
                        "listeners",
                        "PLAINTEXT://localhost:" + second.port())));
    }

    FetchedCluster start() {
        leader.start();
        follower.start();
        return this;
    }

    String name() {
        return variant.name();
    }

    int leaderPort() {
        return leader.config().port();
    }

    Properties client() {
        return leader.clientProperties();
    }

    /**
     * Creates a topic with a replica on the leader and, if {@code replicated}, one on the follower; waits until all
     * replicas are in sync, and the follower has fetched from each.
     */
    void create(String topic, int partitions, boolean replicated) throws InterruptedException, ExecutionException {
        List<Integer> replicas = replicated ? List.of(LEADER, FOLLOWER) : List.of(LEADER);
        Map<Integer, List<Integer>> assignment =
                IntStream.range(0, partitions).boxed().collect(Collectors.toMap(each -> each, each -> replicas));
        Topics topics = new Topics(client());
        topics.create(topic, assignment, Map.of());
        topics.awaitInSync(topic, DEADLINE);
        if (replicated) {
            appendToEach(topic, partitions);
        }
    }

    /** A new replica counts as in sync before it has fetched anything. An acknowledgement shows that it has. */
    private void appendToEach(String topic, int partitions) throws InterruptedException, ExecutionException {
        Properties properties = client();
        properties.put("delivery.timeout.ms", String.valueOf(DEADLINE.toMillis()));
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            List<Future<RecordMetadata>> sent = IntStream.range(0, partitions)
                    .mapToObj(partition ->
                            producer.send(new ProducerRecord<byte[], byte[]>(topic, partition, null, new byte[1])))
                    .toList();
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
    }

    /** The end offsets of a topic's partitions. */
    Map<TopicPartition, Long> ends(String topic, int partitions) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client(), bytes, bytes)) {
            return consumer.endOffsets(IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList());
        }
    }

    long leaderCpuNanos() {
        return Usage.cpuNanos(leader.pid());
    }

    @Override
    public void close() {
        follower.close();
        leader.close();
    }
}
