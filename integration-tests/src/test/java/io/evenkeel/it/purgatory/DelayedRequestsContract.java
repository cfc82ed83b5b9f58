/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.RawClient;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Cluster;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait in a broker, on stock classes and on ours; for every kind of broker. */
abstract class DelayedRequestsContract {
    private static final String TOPIC = "waiting";
    private static final short ALL = -1;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Brokers brokers;

    @TempDir
    Path dir = Path.of("target");

    /** Whether the brokers have our classes. */
    private final boolean patched;

    DelayedRequestsContract(Brokers brokers, boolean patched) {
        this.brokers = brokers;
        this.patched = patched;
    }

    @Test
    void aLongPollEndsWithARecordOrWithItsTime() throws Exception {
        Broker broker = brokers.start(config("node"));
        Topics topics = new Topics(broker);
        topics.create(TOPIC, Map.of(0, List.of(1), 1, List.of(1)), Map.of());
        assertThat(topics.latest(TOPIC, 0) + topics.latest(TOPIC, 1)).isZero(); // both are there
        try (RawClient first = new RawClient(broker);
                RawClient second = new RawClient(broker);
                RawClient producer = new RawClient(broker);
                Gauges gauges = new Gauges(broker)) {
            assertThat(gauges.isWheel("Fetch")).isEqualTo(patched);

            long start = System.nanoTime();
            first.fetch(TOPIC, 0, 0, 1500);
            assertThat(first.fetched()).isZero();
            assertThat(millisSince(start)).isGreaterThanOrEqualTo(1500);

            for (int noTime : List.of(0, -1)) {
                first.fetch(TOPIC, 0, 0, noTime);
                assertThat(first.fetched()).isZero();
            }

            try (RawClient gone = new RawClient(broker)) {
                gone.fetch(TOPIC, 0, 0, Integer.MAX_VALUE);
                await().atMost(DEADLINE).until(() -> gauges.delayed("Fetch") == 1);
            }
            first.fetch(TOPIC, 0, 0, Integer.MAX_VALUE);
            second.fetch(TOPIC, 1, 0, Integer.MAX_VALUE);
            await().atMost(DEADLINE).until(() -> gauges.delayed("Fetch") == 3);
            producer.append(TOPIC, 0, ALL, batch());
            assertThat(first.fetched()).isPositive();
            assertThat(gauges.delayed("Fetch"))
                    .as("without the client that is gone")
                    .isEqualTo(1);
            producer.append(TOPIC, 1, ALL, batch());
            assertThat(second.fetched()).isPositive();
            assertThat(gauges.delayed("Fetch") + gauges.watched("Fetch")).isZero();
        }
    }

    @Test
    void aFetchWaitsForEnoughOfAllItsPartitions() throws Exception {
        Broker broker = brokers.start(config("node"));
        Topics topics = new Topics(broker);
        topics.create(TOPIC, Map.of(0, List.of(1), 1, List.of(1)), Map.of());
        assertThat(topics.latest(TOPIC, 0) + topics.latest(TOPIC, 1)).isZero(); // both are there
        int bytes = batch().sizeInBytes();
        try (RawClient consumer = new RawClient(broker);
                RawClient producer = new RawClient(broker);
                Gauges gauges = new Gauges(broker)) {
            long start = System.nanoTime();
            consumer.fetch(TOPIC, Map.of(0, 0L, 1, 0L), 3 * bytes, 50_000);
            await().atMost(DEADLINE).until(() -> gauges.delayed("Fetch") == 1);
            assertThat(gauges.watched("Fetch")).as("once for each partition").isEqualTo(2);
            producer.append(TOPIC, 0, ALL, batch());
            producer.append(TOPIC, 1, ALL, batch());
            // A connection's requests are handled one after another, so the fetch was looked at for the first of these.
            assertThat(gauges.delayed("Fetch")).isEqualTo(1);
            producer.append(TOPIC, 1, ALL, batch());
            assertThat(consumer.fetched()).isEqualTo(3 * bytes);
            assertThat(gauges.watched("Fetch"))
                    .as("stock leaves it under the key that was not looked at last")
                    .isEqualTo(patched ? 0 : 1);

            consumer.fetch(TOPIC, Map.of(0, 1L, 1, 2L), 2 * bytes, 1500);
            producer.append(TOPIC, 0, ALL, batch());
            assertThat(consumer.fetched()).as("what there is in time").isEqualTo(bytes);
            assertThat(millisSince(start)).isBetween(1500L, 50_000L);
        }
    }

    @Tag("long")
    @Test
    void whatWaitsForAPartitionEndsWhenThatIsDeleted() throws Exception {
        BrokerConfig leading = config("leader").with("broker.session.timeout.ms", 120_000);
        Broker leader = brokers.start(leading);
        Broker follower = follow(leader, leading, config("follower"));
        try (RawClient producer = new RawClient(leader);
                RawClient consumer = new RawClient(leader);
                RawClient deleter = new RawClient(leader);
                Gauges gauges = new Gauges(leader)) {
            long first = firstOffset(producer);
            signal("STOP", follower);

            long start = System.nanoTime();
            CompletableFuture<Long> append =
                    CompletableFuture.supplyAsync(() -> producer.append(TOPIC, 0, ALL, 50_000, batch()));
            await().atMost(DEADLINE).until(() -> gauges.delayed("Produce") == 1);
            await("the follower's own fetch to end").atMost(DEADLINE).until(() -> gauges.delayed("Fetch") == 0);
            consumer.fetch(TOPIC, 0, first + 1, 50_000); // what comes next is not committed yet
            await().atMost(DEADLINE).until(() -> gauges.delayed("Fetch") == 1);
            deleter.delete(TOPIC);

            assertThatThrownBy(consumer::fetched).isInstanceOf(InvalidMetadataException.class);
            assertThat(append)
                    .failsWithin(DEADLINE)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(ApiException.class);
            assertThat(millisSince(start)).isLessThan(50_000);
            assertThat(gauges.delayed("Produce") + gauges.watched("Produce")).isZero();
        } finally {
            signal("CONT", follower);
        }
    }

    @Tag("long")
    @Test
    void recordsAreDeletedWhenAPausedFollowerIsBack() throws Exception {
        BrokerConfig leading = patient("leader");
        Broker leader = brokers.start(leading);
        Broker follower = follow(leader, leading, patient("follower"));
        try (RawClient producer = new RawClient(leader);
                Gauges gauges = new Gauges(leader)) {
            long next = firstOffset(producer) + 1;
            signal("STOP", follower);
            CompletableFuture<Long> deletion =
                    CompletableFuture.supplyAsync(() -> producer.deleteRecordsBefore(TOPIC, 0, next, 50_000));
            await().atMost(DEADLINE).until(() -> gauges.delayed("DeleteRecords") == 1);
            assertThat(gauges.watched("DeleteRecords")).isEqualTo(1);
            assertThat(deletion).isNotDone();
            signal("CONT", follower);
            assertThat(deletion.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(next);
            assertThat(gauges.delayed("DeleteRecords") + gauges.watched("DeleteRecords"))
                    .isZero();
        } finally {
            signal("CONT", follower);
        }
    }

    /** One of two brokers for which a follower that is paused stays in sync. */
    private BrokerConfig patient(String node) {
        return config(node).with("replica.lag.time.max.ms", 60_000).with("broker.session.timeout.ms", 120_000);
    }

    /** Starts a second broker, and creates a partition with min.insync.replicas=2 on both. */
    private Broker follow(Broker leader, BrokerConfig leading, BrokerConfig following) throws Exception {
        Broker follower = brokers.start(Cluster.broker(following, 2, leading));
        new Topics(leader).create(TOPIC, Map.of(0, List.of(1, 2)), Map.of("min.insync.replicas", "2"));
        return follower;
    }

    /** Appends as soon as both replicas are in sync. */
    private static long firstOffset(RawClient producer) {
        return await().atMost(DEADLINE)
                .ignoreExceptions()
                .until(() -> producer.append(TOPIC, 0, ALL, batch()), offset -> offset >= 0);
    }

    @Test
    void anAcknowledgementWaitsForAPausedFollower() throws Exception {
        BrokerConfig leading = patient("leader");
        Broker leader = brokers.start(leading);
        Broker follower = follow(leader, leading, patient("follower"));
        try (RawClient producer = new RawClient(leader);
                Gauges gauges = new Gauges(leader)) {
            firstOffset(producer);
            signal("STOP", follower);

            long start = System.nanoTime();
            assertThatThrownBy(() -> producer.append(TOPIC, 0, ALL, 1500, batch()))
                    .isInstanceOf(TimeoutException.class);
            assertThat(millisSince(start)).isGreaterThanOrEqualTo(1500);

            CompletableFuture<Long> waiting =
                    CompletableFuture.supplyAsync(() -> producer.append(TOPIC, 0, ALL, 50_000, batch()));
            await().atMost(DEADLINE).until(() -> gauges.delayed("Produce") == 1);
            assertThat(gauges.watched("Produce")).isPositive();
            assertThat(waiting).isNotDone();
            signal("CONT", follower);
            assertThat(waiting.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isPositive();
            assertThat(gauges.delayed("Produce")).isZero();
        } finally {
            signal("CONT", follower);
        }
    }

    @Tag("long")
    @Test
    void withoutEnoughReplicasAnAppendIsRefused() throws Exception {
        BrokerConfig leading = config("leader").with("replica.lag.time.max.ms", 2000);
        Broker leader = brokers.start(leading);
        Broker follower = follow(leader, leading, config("follower"));
        try (RawClient producer = new RawClient(leader);
                Gauges gauges = new Gauges(leader)) {
            firstOffset(producer);
            follower.kill();
            // The first may still be appended and then fail; later ones are refused at once.
            await().atMost(DEADLINE)
                    .untilAsserted(() -> assertThatThrownBy(() -> producer.append(TOPIC, 0, ALL, 10_000, batch()))
                            .isInstanceOf(NotEnoughReplicasException.class));
            assertThat(gauges.delayed("Produce")).isZero();
            follower.start();
            firstOffset(producer);
        }
    }

    @Tag("long")
    @Test
    void aBrokerStopsWhileTenThousandRequestsWait() throws Exception {
        int count = 10_000;
        Broker broker = brokers.start(config("node").with("socket.listen.backlog.size", count));
        Topics topics = new Topics(broker);
        topics.create(TOPIC, Map.of(0, List.of(1)), Map.of());
        assertThat(topics.latest(TOPIC, 0)).isZero(); // it is there
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                RawClient client = new RawClient(broker);
                clients.add(client);
                client.fetch(TOPIC, 0, 0, 3_600_000);
            }
            try (Gauges gauges = new Gauges(broker)) {
                await().atMost(DEADLINE).until(() -> gauges.delayed("Fetch") == count);
                assertThat(gauges.watched("Fetch")).isEqualTo(count);
            }
            broker.stop();
            assertThat(broker.isAlive()).isFalse();
        } finally {
            clients.forEach(RawClient::close);
        }
        // On a slow machine the controller complains of that.
        assertThat(broker.said("ERROR")).allMatch(line -> line.contains("QuorumController"));
    }

    BrokerConfig config(String node) {
        BrokerConfig config = BrokerConfig.under(dir.resolve(node), 1, 0);
        return patched ? config.patched() : config.stock();
    }

    private static MemoryRecords batch() {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("a record".getBytes(UTF_8)));
    }

    private static void signal(String signal, Broker broker) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(broker.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static long millisSince(long startNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }
}
