/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.EagerTier;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Readiness;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Three brokers for all tests of a class. Each is also a controller, and copies and evicts early. Each has a network
 * cable that can be pulled, and the last one an HDD that can hang. They end with the class, and all that they had goes.
 */
final class TieredCluster implements BeforeAllCallback, AfterAllCallback, TestWatcher {
    static final int SIZE = 3;
    static final int WITH_DISK = 3;
    static final String ON_MISSING = "tiered.ssd.on.missing";
    static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final long DISK_BYTES = 2L << 30;

    private final List<ForkedBroker> brokers = new ArrayList<>();
    private @Nullable Path dir;
    private @Nullable Network network;
    private @Nullable LoopDisk disk;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        dir = Files.createTempDirectory("cluster");
        Network built = new Network(SIZE);
        network = built;
        LoopDisk hdd = LoopDisk.ext4(dir, "hdd", DISK_BYTES);
        disk = hdd;
        List<BrokerConfig> nodes = new ArrayList<>();
        for (int id = 1; id <= SIZE; id++) {
            BrokerConfig node = BrokerConfig.under(dir.resolve("" + id), 1, 1);
            nodes.add(id == WITH_DISK ? node.withLogDirs(hdd.path().resolve("kafka")) : node);
        }
        String voters = IntStream.rangeClosed(1, SIZE)
                .mapToObj(id ->
                        id + "@" + built.address(id) + ":" + nodes.get(id - 1).controllerPort())
                .collect(Collectors.joining(","));
        for (int id = 1; id <= SIZE; id++) {
            BrokerConfig config = member(nodes.get(id - 1), id, built.address(id), voters);
            brokers.add(new ForkedBroker(KafkaRuntime.find(), config, built.on(id)));
        }
        brokers.forEach(ForkedBroker::launch);
        brokers.forEach(ForkedBroker::awaitReady);
    }

    private static BrokerConfig member(BrokerConfig node, int id, String address, String voters) {
        String listener = "PLAINTEXT://" + address + ":" + node.port();
        return EagerTier.on(node)
                .with(Map.of(
                        "node.id",
                        "" + id,
                        "controller.quorum.voters",
                        voters,
                        "listeners",
                        listener + ",CONTROLLER://" + address + ":" + node.controllerPort(),
                        "advertised.listeners",
                        listener,
                        "transaction.state.log.replication.factor",
                        "" + SIZE,
                        "transaction.state.log.min.isr",
                        "2",
                        "replica.lag.time.max.ms",
                        "3000",
                        "unclean.leader.election.enable",
                        "false"))
                // so that a copy is under way most of the time
                .with("tiered.ssd.copy.bytes.per.second", 16 << 20);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        brokers.forEach(ForkedBroker::close);
        Network built = network;
        LoopDisk mounted = disk;
        try (built;
                mounted) {
            // closes each, even if an earlier close throws
        }
        if (dir != null) {
            Utils.delete(dir.toFile());
        }
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        brokers.forEach(broker -> Readiness.print(broker.logFile()));
    }

    ForkedBroker broker(int id) {
        return brokers.get(id - 1);
    }

    Network network() {
        return present(network);
    }

    /** Broker {@value #WITH_DISK}'s HDD. */
    LoopDisk disk() {
        return present(disk);
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not started");
        }
        return part;
    }

    /** Finds the cluster by any of its brokers, and does not wait long for one that hangs. */
    Properties client() {
        Properties client = broker(1).clientProperties();
        client.put("bootstrap.servers", brokers.stream().map(Broker::bootstrap).collect(Collectors.joining(",")));
        client.put("request.timeout.ms", "5000");
        client.put("socket.connection.setup.timeout.ms", "2000");
        client.put("socket.connection.setup.timeout.max.ms", "4000");
        return client;
    }

    Topics topics() {
        return new Topics(client());
    }

    /** Each broker with the jar, or without; nothing to do for those that are so already. */
    void run(boolean patched) {
        for (int id = 1; id <= SIZE; id++) {
            if ((broker(id).config().agentJar() != null) != patched
                    || !broker(id).isAlive()) {
                broker(id).stop();
                start(id, config -> patched ? config.patched().with(ON_MISSING, "fail") : config.stock());
            }
        }
    }

    /** Starts a broker that is down on a changed configuration. */
    void start(int id, UnaryOperator<BrokerConfig> change) {
        launch(id, change).awaitReady();
    }

    /** As {@link #start}, and does not wait until it answers. */
    ForkedBroker launch(int id, UnaryOperator<BrokerConfig> change) {
        ForkedBroker old = broker(id);
        ForkedBroker broker = new ForkedBroker(
                KafkaRuntime.find(), change.apply(old.config()), network().on(id));
        old.close();
        brokers.set(id - 1, broker);
        broker.launch();
        return broker;
    }

    /** Waits until each replica of a topic is in sync. */
    void awaitInSync(String topic) {
        topics().awaitInSync(topic, DEADLINE);
    }

    /** Waits until the bytes of each replica are those of its leader. */
    void awaitEqualReplicas(String topic) {
        for (TopicPartitionInfo partition : topics().partitions(topic)) {
            await().atMost(DEADLINE).ignoreExceptions().untilAsserted(() -> {
                String led = logBytes(partition.leader().id(), topic, partition.partition());
                for (Node replica : partition.replicas()) {
                    assertThat(logBytes(replica.id(), topic, partition.partition()))
                            .as(
                                    "%s-%d on %d, led by %s",
                                    topic, partition.partition(), replica.id(), partition.leader())
                            .isEqualTo(led);
                }
            });
        }
    }

    private String logBytes(int id, String topic, int partition) {
        return segments(id).of(topic, partition).bytes();
    }

    /** The segments on a broker's disks. */
    SegmentFiles segments(int id) {
        return SegmentFiles.of(broker(id).config());
    }
}
