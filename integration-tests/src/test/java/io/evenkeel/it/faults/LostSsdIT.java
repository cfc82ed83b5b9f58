/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An SSD is lost, and {@code on.missing=truncate} truncates exactly the data that was only there. */
@Timeout(600)
class LostSsdIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Map<String, String> TRUNCATE = Map.of("tiered.ssd.on.missing", "truncate");
    private static final String NO_COPIES = "3600000";

    /** The broker that loses its SSD; node 1 is the controller. */
    private static final int LOSER = 2;

    private static final List<Integer> BROKERS = List.of(LOSER, 3, 4);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final List<BrokerConfig> configs = new ArrayList<>();
    private final List<Broker> running = new ArrayList<>();

    @Test
    void replicaCatchesUpFromItsLeaderWhileAcknowledgedRecordsStay() throws Exception {
        startCluster(Map.of());
        Records records = new Records("lost", 2, 1000);
        new Topics(broker(3))
                .create("lost", Map.of(0, List.of(2, 3, 4), 1, List.of(3, 2, 4)), Map.of("min.insync.replicas", "2"));
        long[] ends;
        try (RecordWriter writer = new RecordWriter(records, client())) {
            send(writer, 3000);
            await("a part of each log is on the HDD")
                    .atMost(DEADLINE)
                    .until(() -> hasCopies(config(LOSER), 0) && hasCopies(config(LOSER), 1));
            try (Repeated writing = new Repeated("writer", 50, () -> send(writer, 5))) {
                broker(LOSER).stop();
                loseSsd();
                assertThat(StartRefusal.of(config(LOSER)))
                        .contains(ssd() + " is blank", "Nothing has been changed", "tiered.ssd.on.missing=truncate");
                assertThat(startTruncating()).contains("Truncating lost-0 to offset", "Truncating lost-1 to offset");
                awaitInSync("lost", 0, 3);
                awaitInSync("lost", 1, 3);
                new Topics(client()).elect("lost", ElectionType.PREFERRED);
                assertThat(partition("lost", 0).leader().id()).isEqualTo(LOSER);
                assertThat(writing.count()).as("written meanwhile").isPositive();
            }
            writer.flush();
            ends = writer.acknowledgedEnds();
        }
        assertThat(records.verifyAll(client())).isEqualTo(Map.of(0, new Range(0, ends[0]), 1, new Range(0, ends[1])));
        for (int partition : List.of(0, 1)) {
            await("replicas of " + partition + " are equal")
                    .atMost(DEADLINE)
                    .until(() -> areEqual("lost-" + partition));
        }
    }

    /** The other replicas have every record, but the controller takes the replica that stopped last for complete. */
    @Tag("long")
    @Test
    void lastReplicaInTheIsrDoesNotLeadWithLess() throws Exception {
        lastReplicaDoesNotLeadWithLess(false);
    }

    /** With eligible leader replicas, the controller does not. */
    @Test
    @Tag("long")
    void lastReplicaDoesNotLeadWithLessWithEligibleLeaderReplicas() throws Exception {
        lastReplicaDoesNotLeadWithLess(true);
    }

    private void lastReplicaDoesNotLeadWithLess(boolean eligibleLeaderReplicas) throws Exception {
        startCluster(Map.of("tiered.ssd.copy.interval.ms", NO_COPIES));
        setEligibleLeaderReplicas(eligibleLeaderReplicas);
        Records records = new Records("last", 1, 1000);
        new Topics(broker(3)).create("last", Map.of(0, BROKERS), Map.of("min.insync.replicas", "2"));
        records.produce(client(), 2000);
        awaitInSync("last", 0, 3);
        broker(4).stop();
        broker(3).stop();
        broker(LOSER).stop();
        loseSsd();

        startTruncating();
        if (!eligibleLeaderReplicas) {
            await("it is to lead, and does not")
                    .atMost(DEADLINE)
                    .until(() -> Files.readString(broker(LOSER).logFile()).contains("broker must not lead last-0"));
        }
        broker(3).start();
        broker(4).start();
        if (!eligibleLeaderReplicas) {
            broker(LOSER).stop();
            await("another leads").atMost(DEADLINE).ignoreExceptions().until(this::electUnclean);
            running.set(BROKERS.indexOf(LOSER), brokers.start(config(LOSER)));
        }
        awaitInSync("last", 0, 3);
        assertThat(records.verifyAll(client())).isEqualTo(Map.of(0, new Range(0, 2000)));
        await("replicas are equal").atMost(DEADLINE).until(() -> areEqual("last-0"));
    }

    private void setEligibleLeaderReplicas(boolean on) {
        FeatureUpdate update = on
                ? new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE)
                : new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
        try (Admin admin = Admin.create(client())) {
            admin.updateFeatures(Map.of("eligible.leader.replicas.version", update), new UpdateFeaturesOptions())
                    .all()
                    .get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster did not change the feature", e);
        }
    }

    private boolean electUnclean() {
        new Topics(client()).elect("last", ElectionType.UNCLEAN);
        return true;
    }

    private BrokerConfig node(int number) {
        return BrokerConfig.under(dir.resolve("node" + number), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 256 << 20);
    }

    private void startCluster(Map<String, String> properties) {
        BrokerConfig controller = Cluster.controller(node(1).stock());
        ((ForkedBroker) brokers.create(controller)).launch();
        for (int id : BROKERS) {
            configs.add(Cluster.broker(node(id), id, controller).with(properties));
        }
        configs.forEach(config -> running.add(brokers.start(config)));
    }

    private Broker broker(int id) {
        return running.get(BROKERS.indexOf(id));
    }

    private BrokerConfig config(int id) {
        return configs.get(BROKERS.indexOf(id));
    }

    private Path ssd() {
        return config(LOSER).ssdDirs().get(0);
    }

    private void loseSsd() throws IOException {
        Utils.delete(ssd().toFile());
        Files.createDirectory(ssd());
    }

    /** Starts the broker without its SSD and with {@code on.missing=truncate}; returns its output. */
    private String startTruncating() throws IOException {
        running.set(BROKERS.indexOf(LOSER), brokers.start(config(LOSER).with(TRUNCATE)));
        return Files.readString(broker(LOSER).logFile());
    }

    private Properties client() {
        Properties client = broker(3).clientProperties();
        client.put("bootstrap.servers", running.stream().map(Broker::bootstrap).collect(Collectors.joining(",")));
        return client;
    }

    private static void send(RecordWriter writer, int perPartition) {
        for (int i = 0; i < perPartition; i++) {
            writer.send(0);
            writer.send(1);
        }
    }

    private static List<Segment> segments(BrokerConfig config, String topic) {
        return SegmentFiles.of(config).of(topic).segments().stream()
                .sorted(Comparator.comparing(Segment::baseOffset))
                .toList();
    }

    private static boolean hasCopies(BrokerConfig config, int partition) {
        return segments(config, "lost").stream()
                .anyMatch(segment -> segment.partition() == partition && segment.state() == State.CACHED);
    }

    private void awaitInSync(String topic, int partition, int replicas) {
        await(topic + "-" + partition + " has " + replicas + " replicas in sync")
                .atMost(DEADLINE)
                .ignoreExceptions()
                .until(() -> partition(topic, partition).isr().size() == replicas);
    }

    private TopicPartitionInfo partition(String topic, int partition) {
        return new Topics(client()).partitions(topic).get(partition);
    }

    private boolean areEqual(String partition) throws IOException {
        byte[] first = log(config(LOSER), partition);
        return IntStream.of(3, 4).allMatch(id -> {
            try {
                return Arrays.equals(first, log(config(id), partition));
            } catch (IOException e) {
                return false;
            }
        });
    }

    /** All bytes of a log, in the order of its segments. */
    private static byte[] log(BrokerConfig config, String partition) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(config.logDirs().get(0).resolve(partition))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                bytes.write(Files.readAllBytes(file));
            }
        }
        return bytes.toByteArray();
    }
}
