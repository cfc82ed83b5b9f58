/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three brokers, each also a controller, that can be restarted one by one. One thread drives it at a time. */
final class RollingCluster implements AutoCloseable {
    private static final int SIZE = 3;
    private static final int MIN_IN_SYNC = 2;
    /** All share the machine's processors: a broker that starts should leave the others as much as it can. */
    private static final List<String> JVM = Stream.concat(
                    LabBroker.heap("512m").stream(), Stream.of("-XX:TieredStopAtLevel=1"))
            .toList();

    private static final int SEGMENT_BYTES = 8 << 20;
    /** Small enough for segments to leave the SSD in the first minutes. */
    private static final long SSD_CAPACITY_BYTES = 512L << 20;

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    /** So that what a restart costs has passed before the next one, or before the stage ends. */
    private static final long PAUSE_SECONDS = 4;

    private final List<ForkedBroker> brokers = new ArrayList<>();

    /** Stock brokers below a directory, whose configuration already has the keys of the tier. They do not run yet. */
    RollingCluster(Path dir) {
        List<BrokerConfig> nodes = IntStream.rangeClosed(1, SIZE)
                .mapToObj(id -> BrokerConfig.under(dir.resolve("" + id), 1, 1))
                .toList();
        String voters = IntStream.rangeClosed(1, SIZE)
                .mapToObj(id -> id + "@localhost:" + nodes.get(id - 1).controllerPort())
                .collect(Collectors.joining(","));
        for (int id = 1; id <= SIZE; id++) {
            BrokerConfig config = nodes.get(id - 1)
                    .withJvmFlags(JVM)
                    .with(Map.of("node.id", "" + id, "controller.quorum.voters", voters))
                    .with("socket.receive.buffer.bytes", LabBroker.AS_LARGE_AS_NEEDED)
                    .with("socket.send.buffer.bytes", LabBroker.AS_LARGE_AS_NEEDED)
                    .with("replica.socket.receive.buffer.bytes", LabBroker.AS_LARGE_AS_NEEDED)
                    .with("log.segment.bytes", SEGMENT_BYTES)
                    .with("tiered.ssd.capacity.bytes", SSD_CAPACITY_BYTES);
            brokers.add(new ForkedBroker(KafkaRuntime.find(), config));
        }
    }

    void start() {
        brokers.forEach(ForkedBroker::launch);
        brokers.forEach(ForkedBroker::awaitReady);
    }

    /** Leads to the cluster, whichever of its brokers is down. */
    Properties client() {
        Properties client = brokers.get(0).clientProperties();
        client.put(
                "bootstrap.servers",
                brokers.stream().map(ForkedBroker::bootstrap).collect(Collectors.joining(",")));
        return client;
    }

    private Topics topics() {
        return new Topics(client());
    }

    /** Creates a topic with a replica on each broker; returns when all are in sync. */
    void create(String topic, int partitions) {
        Map<Integer, List<Integer>> replicas = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> partition,
                        partition -> IntStream.range(0, SIZE)
                                .mapToObj(i -> (partition + i) % SIZE + 1)
                                .toList()));
        topics().create(topic, replicas, Map.of("min.insync.replicas", "" + MIN_IN_SYNC));
        topics().awaitInSync(topic, DEADLINE);
    }

    /**
     * Shuts each broker down and starts it on a changed configuration, one by one, as an operator would: it goes on
     * when all replicas of the topic are in sync, the preferred leaders have been asked for, and some seconds have
     * passed.
     */
    void restartEach(UnaryOperator<BrokerConfig> change, String topic) throws InterruptedException {
        for (int i = 0; i < SIZE; i++) {
            ForkedBroker old = brokers.get(i);
            old.stop();
            old.close();
            brokers.set(i, new ForkedBroker(KafkaRuntime.find(), change.apply(old.config())).start());
            topics().awaitInSync(topic, DEADLINE);
            topics().electPreferred(topic, topics().partitions(topic).size());
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
        }
    }

    /** The states of all brokers' segments of a topic, for a line of the report. */
    String states(String topic) {
        List<SegmentFiles> files = brokers.stream()
                .map(broker -> SegmentFiles.of(broker.config()).of(topic))
                .toList();
        return List.of(SegmentFiles.State.values()).stream()
                .map(state ->
                        files.stream().mapToInt(each -> each.in(state).size()).sum() + " " + state)
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        brokers.forEach(ForkedBroker::close);
    }
}
