/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.EagerTier;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Readiness;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Three brokers in one cluster, for all tests of a class: number 1 is stock and the controller, 2 and 3 are tiered.
 * Each is in a rack of its own. They end with the class, and their directories go.
 */
final class MixedCluster implements BeforeAllCallback, AfterAllCallback, TestWatcher {
    private static final String NEAREST = "org.apache.kafka.common.replica.RackAwareReplicaSelector";

    private final List<ForkedBroker> brokers = new ArrayList<>();
    private @Nullable Path dir;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        dir = Files.createTempDirectory("cluster");
        BrokerConfig first = inRack(1, BrokerConfig.under(dir.resolve("1"), 1, 0));
        brokers.add(new ForkedBroker(KafkaRuntime.find(), first));
        for (int id = 2; id <= 3; id++) {
            BrokerConfig config = inRack(id, BrokerConfig.under(dir.resolve(String.valueOf(id)), 1, 1));
            brokers.add(new ForkedBroker(KafkaRuntime.find(), Cluster.broker(config.patched(), id, first)));
        }
        brokers.forEach(ForkedBroker::start);
    }

    private static BrokerConfig inRack(int id, BrokerConfig config) {
        return EagerTier.on(config).with("broker.rack", "rack" + id).with("replica.selector.class", NEAREST);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        brokers.forEach(ForkedBroker::close);
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

    /** Asked through the broker that is always there. */
    Topics topics() {
        return new Topics(broker(1));
    }

    /** Creates a topic of one partition with these replicas, and waits for its leader. */
    void create(String topic, List<Integer> replicas, Map<String, String> configs) {
        topics().create(topic, Map.of(0, replicas), configs);
        awaitLeader(topic, replicas.get(0));
    }

    void awaitLeader(String topic, int id) {
        await().atMost(Twins.DEADLINE).untilAsserted(() -> {
            Node leader = topics().partition(topic).leader();
            assertThat(leader == null ? -1 : leader.id()).isEqualTo(id);
        });
        // Told by the controller; the broker itself may be a moment behind.
        await().atMost(Twins.DEADLINE).ignoreExceptions().until(() -> new Topics(broker(id)).latest(topic, 0) >= 0);
    }

    void awaitInSync(String topic, Set<Integer> ids) {
        await().atMost(Twins.DEADLINE).untilAsserted(() -> {
            TopicPartitionInfo partition = topics().partition(topic);
            assertThat(partition.isr().stream().map(Node::id).collect(Collectors.toSet()))
                    .isEqualTo(ids);
        });
    }

    /** The number of bytes in a replica's log and their checksum, independent of segments. */
    String logBytes(int id, String topic) {
        return SegmentFiles.of(broker(id).config()).of(topic).bytes();
    }

    /** All files of a topic on a broker's disks. */
    List<Path> traces(int id, String topic) {
        try (Stream<Path> files = Files.walk(broker(id).config().nodeDir())) {
            return files.filter(file -> file.getFileName().toString().startsWith(topic + "-0"))
                    .toList();
        } catch (IOException | UncheckedIOException changedMeanwhile) {
            return List.of(Path.of("?"));
        }
    }
}
