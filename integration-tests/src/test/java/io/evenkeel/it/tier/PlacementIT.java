/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Leaders;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which device a segment begins on, in clusters of two nodes. Nothing is copied meanwhile, so that it shows. */
class PlacementIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final String PLACEMENT = "tiered.ssd.follower.placement";

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void leadersWriteToTheSsdAndFollowersWhereTheTopicSays() throws Exception {
        BrokerConfig one = node(1);
        BrokerConfig two = Cluster.broker(node(2), 2, one);
        Broker first = brokers.start(one);
        brokers.start(two);
        Records onHdd = create(first, "on-hdd", Map.of(PLACEMENT, "hdd"));
        Records onSsd = create(first, "on-ssd", Map.of());
        onHdd.produce(first.clientProperties(), 3000);
        onSsd.produce(first.clientProperties(), 3000);

        awaitStates(one, "on-hdd", 0, ONLY_CACHE);
        awaitStates(two, "on-hdd", 0, WITHOUT_CACHE);
        awaitStates(one, "on-hdd", 1, WITHOUT_CACHE);
        awaitStates(two, "on-hdd", 1, ONLY_CACHE);
        for (int partition : List.of(0, 1)) {
            awaitStates(one, "on-ssd", partition, ONLY_CACHE);
            awaitStates(two, "on-ssd", partition, ONLY_CACHE);
        }
        for (BrokerConfig node : List.of(one, two)) {
            assertThat(SegmentFiles.of(node).strays()).isEmpty();
        }
    }

    @Tag("long")
    @Test
    void aFollowerThatBecomesLeaderGoesOnOnTheSsd() throws Exception {
        BrokerConfig one = node(1);
        Broker first = brokers.start(one);
        Broker second = brokers.start(Cluster.broker(node(2), 2, one));
        Records records = create(first, "taken-over", Map.of(PLACEMENT, "hdd"));
        Records empty = create(first, "empty", Map.of(PLACEMENT, "hdd"));
        records.produce(first.clientProperties(), 3000);
        awaitStates(one, "taken-over", 1, WITHOUT_CACHE);

        second.stop();
        records.produce(first.clientProperties(), 10);
        empty.produce(first.clientProperties(), 10);

        List<Segment> taken = segments(one, "taken-over", 1);
        assertThat(taken.get(taken.size() - 1).state()).isEqualTo(ONLY_CACHE);
        assertThat(taken.get(taken.size() - 1).baseOffset()).isEqualTo(3000);
        assertThat(taken.subList(0, taken.size() - 1)).allMatch(segment -> segment.state() == WITHOUT_CACHE);
        assertThat(segments(one, "empty", 1))
                .as("a small segment on the HDD is not worth a roll")
                .singleElement()
                .satisfies(segment -> assertThat(segment.state()).isEqualTo(WITHOUT_CACHE));
        records.verifyAll(first.clientProperties());
        empty.verifyAll(first.clientProperties());

        Broker again = second.start();
        records.produce(first.clientProperties(), 3000);
        await("the old leader follows on its HDD")
                .atMost(DEADLINE)
                .until(() -> segments(again.config(), "taken-over", 1).stream()
                        .anyMatch(segment -> segment.baseOffset() > 3010 && segment.state() == WITHOUT_CACHE));
        first.restart();
        records.verifyAll(again.clientProperties());
    }

    @Tag("long")
    @Test
    void theTopicsWordWinsAndHoldsFromTheNextSegmentOn() throws Exception {
        BrokerConfig one = node(1);
        BrokerConfig two = Cluster.broker(node(2), 2, one).with(PLACEMENT, "hdd");
        Broker first = brokers.start(one);
        brokers.start(two);
        Records records = create(first, "changed", Map.of());
        records.produce(first.clientProperties(), 3000);
        awaitStates(two, "changed", 0, WITHOUT_CACHE);

        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "changed");
        ask(
                first,
                admin -> admin.incrementalAlterConfigs(Map.of(
                                topic,
                                List.of(new AlterConfigOp(
                                        new ConfigEntry(PLACEMENT, "ssd"), AlterConfigOp.OpType.SET))))
                        .all());
        records.produce(first.clientProperties(), 3000);
        await("on the SSD")
                .atMost(DEADLINE)
                .until(() -> segments(two, "changed", 0).stream()
                        .anyMatch(segment -> segment.baseOffset() > 3000 && segment.state() == ONLY_CACHE));
        assertThat(segments(two, "changed", 0).get(0).state()).isEqualTo(WITHOUT_CACHE);
    }

    @Test
    void kafkasToolsKnowTheTopicsKey() throws Exception {
        Broker broker = brokers.start(node(1));
        String bootstrap = broker.bootstrap();
        Tool.Outcome created = Tool.topics(dir)
                .patched()
                .run("--bootstrap-server", bootstrap, "--create", "--topic", "t", "--config", PLACEMENT + "=hdd");
        assertThat(created.exit()).as(created.said()).isZero();
        assertThat(Tool.configs(dir)
                        .run("--bootstrap-server", bootstrap, "--describe", "--topic", "t")
                        .out())
                .contains(PLACEMENT + "=hdd sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:" + PLACEMENT + "=hdd}");

        Tool.Outcome refused = Tool.configs(dir)
                .run("--bootstrap-server", bootstrap, "--alter", "--topic", "t", "--add-config", PLACEMENT + "=tape");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.said())
                .contains("Invalid value tape for configuration " + PLACEMENT + ": String must be one of: ssd, hdd");

        Tool.Outcome deleted = Tool.configs(dir)
                .run("--bootstrap-server", bootstrap, "--alter", "--topic", "t", "--delete-config", PLACEMENT);
        assertThat(deleted.exit()).as(deleted.said()).isZero();
        assertThat(Tool.configs(dir)
                        .run("--bootstrap-server", bootstrap, "--describe", "--all", "--topic", "t")
                        .out())
                .contains(PLACEMENT + "=null sensitive=false synonyms={}");
    }

    @Test
    void controllersWithoutTheAgentRefuseTheKey() {
        BrokerConfig controller = Cluster.controller(node(1).stock());
        ((ForkedBroker) brokers.create(controller)).launch();
        Broker broker = brokers.start(Cluster.broker(node(2), 2, controller));
        assertThatThrownBy(() -> ask(
                        broker,
                        admin -> admin.createTopics(
                                        List.of(new NewTopic("t", 1, (short) 1).configs(Map.of(PLACEMENT, "hdd"))))
                                .all()))
                .hasRootCauseInstanceOf(InvalidConfigurationException.class)
                .rootCause()
                .hasMessageContaining("Unknown topic config name: " + PLACEMENT);
        Records records = new Records("plain", 1, 1000);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 100);
        records.verifyAll(broker.clientProperties());
    }

    @Tag("long")
    @Test
    void brokersWithoutTheAgentIgnoreTheKey() {
        BrokerConfig controller = Cluster.controller(node(1));
        ((ForkedBroker) brokers.create(controller)).launch();
        Broker broker = brokers.start(Cluster.broker(node(2), 2, controller).stock());
        Records records = new Records("t", 1, 1000);
        new Topics(broker).create(records, Map.of(PLACEMENT, "hdd"));
        records.produce(broker.clientProperties(), 3000);
        broker.restart();
        records.produce(broker.clientProperties(), 100);
        records.verifyAll(broker.clientProperties());
    }

    private BrokerConfig node(int number) {
        return BrokerConfig.under(dir.resolve("node" + number), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 64 << 20)
                .with("tiered.ssd.copy.interval.ms", 3_600_000);
    }

    /** Two partitions; broker 1 leads the first and broker 2 the second. */
    private static Records create(Broker broker, String topic, Map<String, String> configs) throws Exception {
        ask(
                broker,
                admin -> admin.createTopics(List.of(
                                new NewTopic(topic, Map.of(0, List.of(1, 2), 1, List.of(2, 1))).configs(configs)))
                        .all());
        Leaders.await(broker.clientProperties(), List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)));
        return new Records(topic, 2, 1000);
    }

    private static <T> T ask(Broker broker, Function<Admin, KafkaFuture<T>> question) throws Exception {
        try (Admin admin = Admin.create(broker.clientProperties())) {
            return question.apply(admin).get(60, TimeUnit.SECONDS);
        }
    }

    private static void awaitStates(BrokerConfig node, String topic, int partition, State state) {
        await(topic + "-" + partition + " below " + node.nodeDir())
                .atMost(DEADLINE)
                .until(() -> {
                    List<Segment> segments = segments(node, topic, partition);
                    return segments.size() >= 3 && segments.stream().allMatch(segment -> segment.state() == state);
                });
    }

    /** In the order of their offsets. */
    private static List<Segment> segments(BrokerConfig node, String topic, int partition) {
        return SegmentFiles.of(node).of(topic, partition).segments();
    }
}
