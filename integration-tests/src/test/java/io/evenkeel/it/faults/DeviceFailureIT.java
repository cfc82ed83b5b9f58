/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static io.evenkeel.testkit.SegmentFiles.State.CACHED;
import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.BadSectors;
import io.evenkeel.testkit.disk.Disks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks that fail reads under a broker with two log directories, each with an SSD of its own. Clients do not notice a
 * failure if another disk has the data. Otherwise that one log directory goes offline, and no acknowledged record is
 * lost.
 */
@Timeout(180)
class DeviceFailureIT {
    private static final long PER_TOPIC = 4000;

    private static final String RATE = "tiered.ssd.copy.bytes.per.second";
    private static final String MIN_RATE = "tiered.ssd.copy.min.bytes.per.second";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Tag("long")
    @Test
    void whatTheSsdCannotReadIsServedFromTheHdd() throws Exception {
        BadSectors ssd = disks.withBadSectors(dir, "ssd", TwoLogDirs.DISK_BYTES);
        BrokerConfig config = TwoLogDirs.onSsd(dir, ssd.path()).with("tiered.ssd.copy.interval.ms", 100);
        Broker broker = brokers.start(config);
        Records records = TwoTopics.create(broker).failing();
        records.produce(broker.clientProperties(), PER_TOPIC);
        Segment inSend = awaitSegment(config, records, CACHED, 1);
        Segment inSearch = awaitSegment(config, records, CACHED, 2);
        ssd.spoil(ssdFile(inSend), TwoLogDirs.SEGMENT_BYTES / 2);
        ssd.spoil(ssdFile(inSearch));

        try (Gauges gauges = new Gauges(broker);
                RecordReader reader = new RecordReader(broker, records)) {
            reader.readOn();
            long connections = reader.connections();
            while (reader.position(0) < PER_TOPIC) {
                reader.readOn();
            }
            assertThat(reader.connections()).as("none was closed").isEqualTo(connections);
            await().atMost(DEADLINE).until(() -> gauges.tier("SuspectSsds") == 1);
            assertThat(broker.said(
                            "An SSD has failed. device=" + config.ssdDirs().get(0)))
                    .singleElement()
                    .asString()
                    .contains("" + inSend.ssdFile());
            await().atMost(DEADLINE).until(() -> state(config, inSend) == WITHOUT_CACHE);
            await().atMost(DEADLINE).until(() -> state(config, inSearch) == WITHOUT_CACHE);

            records.produce(broker.clientProperties(), PER_TOPIC);
            await().atMost(DEADLINE).until(() -> gauges.tier("PlacedOnHddSsdFailed") > 0);
            assertThat(gauges.tier("PlacedOnHddNoRoom")).isZero();
            assertThat(gauges.offlineLogDirs()).isZero();
        }
        assertThat(records.verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, 2 * PER_TOPIC));
    }

    @Tag("long")
    @Test
    void whatOnlyABadSsdHasIsAStorageError() throws Exception {
        BadSectors ssd = disks.withBadSectors(dir, "ssd", TwoLogDirs.DISK_BYTES);
        BrokerConfig config = TwoLogDirs.onSsd(dir, ssd.path())
                .with("tiered.ssd.copy.interval.ms", 100)
                .with(Map.of(RATE, "1", MIN_RATE, "1"));
        Broker broker = brokers.start(config);
        TwoTopics topics = TwoTopics.create(broker);
        topics.failing().produce(broker.clientProperties(), PER_TOPIC);
        topics.healthy().produce(broker.clientProperties(), PER_TOPIC);
        Segment segment = awaitSegment(config, topics.failing(), ONLY_CACHE, 1);
        ssd.spoil(ssdFile(segment), TwoLogDirs.SEGMENT_BYTES / 2);

        String rate = "" + (100 << 20);
        new Topics(broker).configureBroker(1, Map.of(RATE, rate, MIN_RATE, rate));
        awaitSegment(config, topics.failing(), CACHED, 2);
        assertThat(broker.said("A copy to the HDD failed")).first().asString().contains("" + segment.ssdFile());
        assertThat(broker.said("An SSD has failed. device=" + config.ssdDirs().get(0)))
                .hasSize(1);
        assertThat(state(config, segment)).isEqualTo(ONLY_CACHE);

        readUntilTheLogDirIsOffline(broker, topics, segment);
        assertThat(broker.said("Unrecoverable storage error (unreadable segment or failed directory fsync)"))
                .singleElement()
                .asString()
                .contains("" + config.logDirs().get(0), "" + segment.ssdFile());

        broker.stop();
        ssd.mend();
        broker.start();
        topics.verify(broker, PER_TOPIC, PER_TOPIC + 1);
    }

    /** With stock before it, which closes the connection each time, for ever: KAFKA-16304. */
    @Test
    void whatOnlyABadHddHasIsAStorageError() throws Exception {
        BadSectors hdd = disks.withBadSectors(dir, "hdd", TwoLogDirs.DISK_BYTES);
        BrokerConfig config = TwoLogDirs.onHdd(dir, hdd.path()).with("tiered.ssd.excluded.topics", "one,two");
        Broker stock = brokers.start(config.stock());
        TwoTopics topics = TwoTopics.create(stock);
        topics.failing().produce(stock.clientProperties(), PER_TOPIC);
        topics.healthy().produce(stock.clientProperties(), PER_TOPIC);
        Segment segment = awaitSegment(config, topics.failing(), WITHOUT_CACHE, 1);
        hdd.spoil(segment.path(), TwoLogDirs.SEGMENT_BYTES / 2);
        try (Gauges gauges = new Gauges(stock);
                RecordReader reader = new RecordReader(stock, topics.failing())) {
            reader.readOn();
            long connections = reader.connections();
            readUntil(reader, () -> reader.connections() > connections + 2);
            assertThat(gauges.offlineLogDirs()).as("stock").isZero();
            assertThat(reader.position(0)).isEqualTo(segment.baseOffset());
        }
        stock.stop();

        Broker broker = brokers.start(config);
        readUntilTheLogDirIsOffline(broker, topics, segment);
        assertThat(broker.said("Unrecoverable storage error (unreadable segment or failed directory fsync)"))
                .singleElement()
                .asString()
                .contains("" + config.logDirs().get(0), "" + segment.path());

        broker.stop();
        hdd.mend();
        broker.start();
        topics.verify(broker, PER_TOPIC, PER_TOPIC + 1);
    }

    /** An offline log directory would end it, at each start anew. */
    @Test
    void oneBadSectorDoesNotEndABrokerWithOneLogDirectory() throws Exception {
        BadSectors hdd = disks.withBadSectors(dir, "hdd", TwoLogDirs.DISK_BYTES);
        BrokerConfig config = TwoLogDirs.onHdd(dir, hdd.path())
                .withLogDirs(hdd.path().resolve("kafka"))
                .with("metadata.log.dir", hdd.path().resolve("kafka"))
                .with("tiered.ssd.excluded.topics", "one");
        Broker broker = brokers.start(config);
        Records old = new Records("one", 1, 2_000);
        Records other = new Records("two", 1, 2_000);
        Topics topics = new Topics(broker);
        topics.create(old, Map.of());
        topics.create(other, Map.of());
        old.produce(broker.clientProperties(), PER_TOPIC);
        Segment segment = awaitSegment(config, old, WITHOUT_CACHE, 1);
        hdd.spoil(segment.path());
        try (Gauges gauges = new Gauges(broker);
                RecordReader reader = new RecordReader(broker, old)) {
            readUntil(reader, () -> !broker.said("A segment cannot be read").isEmpty());
            assertThat(reader.position(0)).isEqualTo(segment.baseOffset());
            other.produce(broker.clientProperties(), PER_TOPIC);
            other.verifyAll(broker.clientProperties());
            assertThat(gauges.offlineLogDirs()).isZero();
            hdd.mend();
            readUntil(reader, () -> reader.position(0) == PER_TOPIC);
        }
    }

    /** Meanwhile no reader gets wrong data, and the other log directory stays online. */
    private static void readUntilTheLogDirIsOffline(Broker broker, TwoTopics topics, Segment unreadable)
            throws Exception {
        try (Gauges gauges = new Gauges(broker);
                RecordReader reader = new RecordReader(broker, topics.failing())) {
            readUntil(reader, () -> gauges.offlineLogDirs() == 1);
            assertThat(reader.position(0)).isEqualTo(unreadable.baseOffset());
        }
        topics.healthy().produce(broker.clientProperties(), 1);
        assertThat(topics.healthy().verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, PER_TOPIC + 1));
    }

    private static void readUntil(RecordReader reader, Callable<Boolean> condition) {
        await().pollInSameThread().pollDelay(Duration.ZERO).atMost(DEADLINE).until(() -> {
            reader.readSome();
            return condition.call();
        });
    }

    /** Waits until the segment with {@code before} segments before it is in that state, and returns it. */
    private static Segment awaitSegment(BrokerConfig config, Records records, State state, int before) {
        return await().atMost(DEADLINE)
                .until(() -> segments(config, records).get(before), segment -> segment.state() == state);
    }

    private static List<Segment> segments(BrokerConfig config, Records records) {
        return SegmentFiles.of(config).of(records.topic()).segments();
    }

    private static State state(BrokerConfig config, Segment segment) {
        return SegmentFiles.of(config).segments().stream()
                .filter(found -> found.path().equals(segment.path()))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static Path ssdFile(Segment segment) {
        return Objects.requireNonNull(segment.ssdFile());
    }
}
