/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Share groups on stock and on ours; of ours alone, only exact gauges are expected. */
@Tag("long")
class ShareGroupsIT {
    private static final String TOPIC = "shared";
    private static final String GROUP = "share";
    /** The loggers of what stock calls an error when a leader changes, or on a slow machine. */
    private static final Set<String> ERRORS_OF_STOCK = Set.of(
            "(SharePartition)",
            "(SharePartitionManager)",
            "(PersisterStateManager$WriteStateHandler)",
            "(ShareCoordinatorShard)",
            "(ReplicaManager)",
            "(ReplicationControlManager)");

    private static final int ROUNDS = 6;
    private static final int RECORDS_A_ROUND = 200;
    private static final Duration HANGING_POLL = Duration.ofMillis(20);
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyRecordArrivesAndNothingStays(boolean patched) throws Exception {
        BrokerConfig leading = config("1", patched);
        Broker first = brokers.start(leading);
        Broker second = brokers.start(Cluster.broker(config("2", patched), 2, leading));
        Topics topics = new Topics(first);
        topics.create(TOPIC, Map.of(0, List.of(1, 2), 1, List.of(2, 1)), Map.of());
        topics.configureGroup(
                GROUP, Map.of("share.auto.offset.reset", "earliest", "share.record.lock.duration.ms", "1000"));

        // With fewer, the client that hangs may be the only one to which Kafka assigns a partition.
        List<Thread> members = List.of(member(first), member(second), member(first), member(second));
        Map<String, Future<RecordMetadata>> sent = new LinkedHashMap<>();
        try (Gauges gauges = new Gauges(first);
                Gauges others = new Gauges(second)) {
            assertThat(gauges.isWheel("ShareFetch")).isEqualTo(patched);
            await("share fetches wait on both")
                    .atMost(DEADLINE)
                    .until(() -> gauges.delayed("ShareFetch") > 0 && others.delayed("ShareFetch") > 0);
            changeLeadersAndLoseClients(first, topics, sent);
            await("every record").atMost(DEADLINE).untilAsserted(() -> assertReceived(first, sent));

            ended = true;
            for (Thread member : members) {
                member.join(DEADLINE.toMillis());
                assertThat(member.isAlive()).isFalse();
            }
            for (Gauges each : List.of(gauges, others)) {
                await("no share fetch waits").atMost(DEADLINE).until(() -> each.delayed("ShareFetch") == 0);
                if (patched) {
                    assertThat(each.watched("ShareFetch")).isZero();
                }
            }
        } finally {
            ended = true;
        }
        for (Broker each : List.of(first, second)) {
            assertThat(each.said("ERROR"))
                    .allMatch(line -> ERRORS_OF_STOCK.stream().anyMatch(line::endsWith));
        }
    }

    /** In each round a client is killed, another one holds records and hangs, and the leaders change. */
    private void changeLeadersAndLoseClients(Broker first, Topics topics, Map<String, Future<RecordMetadata>> sent)
            throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(first.clientProperties(), new StringSerializer(), new StringSerializer())) {
            boolean hangs = false;
            for (int round = 0; round < ROUNDS; round++) {
                Process killed = console(first);
                try (KafkaShareConsumer<String, String> hanging = consumer(first, "explicit")) {
                    boolean holds = false;
                    for (int i = 0; i < RECORDS_A_ROUND; i++) {
                        String value = round + "-" + i;
                        sent.put(value, producer.send(new ProducerRecord<>(TOPIC, i % 2, null, value)));
                        holds = holds || !hanging.poll(HANGING_POLL).isEmpty(); // acknowledges nothing
                    }
                    producer.flush();
                    hangs |= holds;
                    topics.reassign(TOPIC, replicas(round));
                    topics.electPreferred(TOPIC, 2);
                    await("every record, those of the client that hangs as well")
                            .atMost(DEADLINE)
                            .untilAsserted(() -> assertReceived(first, sent));
                } finally {
                    killed.destroyForcibly().waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS);
                }
            }
            assertThat(hangs).as("a client held records").isTrue();
        }
    }

    /** The message tells whether the group still has to deliver what is missing, and to whom. */
    private void assertReceived(Broker broker, Map<String, Future<RecordMetadata>> sent) throws Exception {
        Map<String, RecordMetadata> missing = new LinkedHashMap<>();
        for (Map.Entry<String, Future<RecordMetadata>> each : sent.entrySet()) {
            if (!received.contains(each.getKey())) {
                missing.put(each.getKey(), each.getValue().get());
            }
        }
        if (!missing.isEmpty()) {
            try (Admin admin = Admin.create(broker.clientProperties())) {
                assertThat(missing)
                        .as("the group's start offsets: "
                                + admin.listShareGroupOffsets(Map.of(GROUP, new ListShareGroupOffsetsSpec()))
                                        .partitionsToOffsetInfo(GROUP)
                                        .get()
                                + ", its members: "
                                + admin.describeShareGroups(List.of(GROUP))
                                        .all()
                                        .get())
                        .isEmpty();
            }
        }
    }

    private static Map<Integer, List<Integer>> replicas(int round) {
        return round % 2 == 0 ? Map.of(0, List.of(2, 1), 1, List.of(1, 2)) : Map.of(0, List.of(1, 2), 1, List.of(2, 1));
    }

    /** A member of another group, because what it acknowledges before it is killed is not sent to anybody else. */
    private Process console(Broker broker) throws IOException {
        return new ProcessBuilder(KafkaRuntime.find()
                        .command(
                                List.of(),
                                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"),
                                "org.apache.kafka.tools.consumer.ConsoleShareConsumer",
                                List.of("--bootstrap-server", broker.bootstrap(), "--topic", TOPIC, "--group", "gone")))
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("console.log").toFile())
                .start();
    }

    private Thread member(Broker broker) {
        Thread thread = new Thread(() -> {
            try (KafkaShareConsumer<String, String> consumer = consumer(broker, "implicit")) {
                while (!ended) {
                    for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(200))) {
                        received.add(each.value());
                    }
                }
            }
        });
        thread.start();
        return thread;
    }

    private static KafkaShareConsumer<String, String> consumer(Broker broker, String acknowledging) {
        Properties properties = broker.clientProperties();
        properties.put("group.id", GROUP);
        properties.put("share.acknowledgement.mode", acknowledging);
        KafkaShareConsumer<String, String> consumer =
                new KafkaShareConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(Set.of(TOPIC));
        return consumer;
    }

    private BrokerConfig config(String node, boolean patched) {
        BrokerConfig config = BrokerConfig.under(dir.resolve(node), 1, 0)
                .with("group.share.min.record.lock.duration.ms", 1000)
                .with("group.share.record.lock.duration.ms", 1000)
                .with("broker.session.timeout.ms", 30_000);
        return patched ? config.patched() : config.stock();
    }
}
