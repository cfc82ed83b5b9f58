/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.Leaders;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * One broker or a cluster, stock or patched. Each broker has two log directories; the last broker has them on two loop
 * devices, of which the second one stutters. One thread drives it; {@link Disks} and {@link Brokers} end it.
 *
 * <p>The file systems are XFS with {@code lazytime}: on ext4 a hung disk stops the whole broker, stock or patched, and
 * would hide what the patch does.
 */
final class StutteringBrokers {
    static final Duration DEADLINE = Duration.ofSeconds(90);

    private static final long DISK_BYTES = 2L << 30;
    /** The least that is allowed, so that each hang exceeds it. */
    private static final int MAX_UNFLUSHED_BYTES = 64 << 10;

    private static final int MAX_UNFLUSHED_MS = 1_000;
    /** Kafka puts half of them on each disk. */
    private static final int INTERNAL_PARTITIONS = 4;

    private final List<Broker> brokers = new ArrayList<>();
    private final LoopDisk stuttering;

    /** What a broker is compared with, and the broker itself. */
    enum Variant {
        STOCK,
        PATCHED
    }

    StutteringBrokers(Variant variant, int size, Path dir, Disks disks, Brokers starter) throws IOException {
        LoopDisk steady = lazytime(disks.xfs(dir, "steady", DISK_BYTES));
        stuttering = lazytime(disks.xfs(dir, "stuttering", DISK_BYTES));
        BrokerConfig first = null;
        for (int id = 1; id <= size; id++) {
            BrokerConfig config = common(BrokerConfig.under(dir.resolve("node" + id), 2, 0), size);
            if (id == size) {
                config = config.withLogDirs(
                        steady.path().resolve("kafka"), stuttering.path().resolve("kafka"));
            }
            if (variant == Variant.PATCHED) {
                config = byRate(config);
            }
            first = first == null ? config : first;
            brokers.add(starter.start(id == 1 ? config : Cluster.broker(config, id, first)));
        }
    }

    private static LoopDisk lazytime(LoopDisk disk) throws IOException {
        disk.remount("lazytime");
        return disk;
    }

    private static BrokerConfig common(BrokerConfig config, int size) {
        Map<String, String> properties = new HashMap<>();
        for (String topic : List.of("offsets.topic", "transaction.state.log")) {
            properties.put(topic + ".replication.factor", "" + size);
            properties.put(topic + ".num.partitions", "" + INTERNAL_PARTITIONS);
        }
        properties.put("transaction.state.log.min.isr", "" + Math.min(size, 2));
        properties.put("broker.session.timeout.ms", "60000"); // a busy machine must not make it lose its session
        properties.put("broker.heartbeat.interval.ms", "2000");
        return config.with(properties);
    }

    private static BrokerConfig byRate(BrokerConfig config) {
        return config.patched()
                .with("flush.ratelimit.enable", true)
                .with("flush.ratelimit.max.unflushed.bytes", MAX_UNFLUSHED_BYTES)
                .with("flush.ratelimit.max.unflushed.ms", MAX_UNFLUSHED_MS);
    }

    int size() {
        return brokers.size();
    }

    /** The disk of the last broker's second log directory. */
    LoopDisk stuttering() {
        return stuttering;
    }

    Properties client() {
        Properties client = brokers.get(0).clientProperties();
        client.put("bootstrap.servers", bootstrap());
        return client;
    }

    String bootstrap() {
        return brokers.stream().map(Broker::bootstrap).collect(Collectors.joining(","));
    }

    Topics topics() {
        return new Topics(client());
    }

    /** Creates a topic with a replica on each broker, each broker in turn preferred, and waits for its leaders. */
    void create(String topic, int partitions) {
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            int shift = partition;
            replicas.put(
                    partition,
                    IntStream.range(0, size())
                            .map(i -> (i + shift) % size() + 1)
                            .boxed()
                            .toList());
        }
        topics().create(topic, replicas, Map.of("min.insync.replicas", "" + Math.min(size(), 2)));
        Leaders.await(
                client(),
                replicas.keySet().stream()
                        .map(partition -> new TopicPartition(topic, partition))
                        .toList());
    }

    /** Waits until each replica of each topic, internal ones included, is in sync. */
    void awaitInSync() {
        for (String topic : topics().names()) {
            await(topic + " is in sync")
                    .atMost(DEADLINE)
                    .ignoreExceptions()
                    .until(() -> topics().partitions(topic).stream()
                            .allMatch(partition -> partition.isr().size() == size()));
        }
    }

    /** The errors in the responses of all brokers since their start. */
    Map<String, Long> responseErrors() throws IOException {
        Map<String, Long> all = new HashMap<>();
        for (Broker broker : brokers) {
            ResponseErrors.of(broker).forEach((error, count) -> all.merge(error, count, Long::sum));
        }
        return all;
    }

    /** The gauges of flushing by rate of the broker with the stuttering disk; none on stock. */
    Map<String, Long> flushGauges() throws IOException {
        try (Gauges gauges = new Gauges(brokers.get(size() - 1))) {
            return gauges.flush();
        }
    }
}
