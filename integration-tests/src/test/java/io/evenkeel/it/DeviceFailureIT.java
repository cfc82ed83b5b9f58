/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import static io.evenkeel.testkit.SegmentFiles.State.CACHED;
import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks that fail reads or writes under a broker with two log directories, each with an SSD of its own. What another
 * disk can make good nobody notices; all else is the failure of that one log directory, and nothing acknowledged is
 * lost with it.
 */
@Timeout(180)
class DeviceFailureIT {
    private static final long DISK_BYTES = 128L << 20;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final long PER_TOPIC = 4000;
    /** Ends in the middle of a segment, however the producer batches it: a new segment would go to the other disk. */
    private static final long BETWEEN_ROLLS = 3500;

    private static final String RATE = "tiered.ssd.copy.bytes.per.second";
    private static final String MIN_RATE = "tiered.ssd.copy.min.bytes.per.second";
    private static final int BATCH_RECORDS = 20;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    /** Two topics, one in each log directory. */
    private record Two(Records failing, Records healthy) {}

    @Test
    void whatTheSsdCannotReadIsServedFromTheHdd() throws Exception {
        BadSectors ssd = disks.withBadSectors(dir, "ssd", DISK_BYTES);
        BrokerConfig config = onSsd(ssd.path()).with("tiered.ssd.copy.interval.ms", 100);
        Broker broker = brokers.start(config);
        Records records = create(broker).failing();
        records.produce(broker.clientProperties(), PER_TOPIC);
        Segment inSend = awaitSegment(config, records, CACHED, 1);
        Segment inSearch = awaitSegment(config, records, CACHED, 2);
        ssd.spoil(ssdFile(inSend), SEGMENT_BYTES / 2);
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
            assertThat(broker.said("An SSD has failed. device=" + config.ssdDirs().get(0)))
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

    @Test
    void whatOnlyABadSsdHasIsAStorageError() throws Exception {
        BadSectors ssd = disks.withBadSectors(dir, "ssd", DISK_BYTES);
        BrokerConfig config =
                onSsd(ssd.path()).with("tiered.ssd.copy.interval.ms", 100).with(Map.of(RATE, "1", MIN_RATE, "1"));
        Broker broker = brokers.start(config);
        Two topics = create(broker);
        topics.failing().produce(broker.clientProperties(), PER_TOPIC);
        topics.healthy().produce(broker.clientProperties(), PER_TOPIC);
        Segment segment = awaitSegment(config, topics.failing(), ONLY_CACHE, 1);
        ssd.spoil(ssdFile(segment), SEGMENT_BYTES / 2);

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
        verify(broker, topics);
    }

    /** With stock before it, which closes the connection each time, for ever: KAFKA-16304. */
    @Test
    void whatOnlyABadHddHasIsAStorageError() throws Exception {
        BadSectors hdd = disks.withBadSectors(dir, "hdd", DISK_BYTES);
        BrokerConfig config = onHdd(hdd.path()).with("tiered.ssd.excluded.topics", "one,two");
        Broker stock = brokers.start(config.stock());
        Two topics = create(stock);
        topics.failing().produce(stock.clientProperties(), PER_TOPIC);
        topics.healthy().produce(stock.clientProperties(), PER_TOPIC);
        Segment segment = awaitSegment(config, topics.failing(), WITHOUT_CACHE, 1);
        hdd.spoil(segment.path(), SEGMENT_BYTES / 2);
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
        verify(broker, topics);
    }

    @Test
    void writesThatTheSsdRefusesFailItsLogDirAlone() throws Exception {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        failWrites(ssd, ssd::refuseWrites, onSsd(ssd.path()).with("tiered.ssd.copy.interval.ms", 100));
    }

    /** The append fails, where in the other tests its force does. */
    @Test
    void ssdThatTurnsReadOnlyFailsItsLogDirAlone() throws Exception {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        failWrites(ssd, ssd::turnReadOnly, onSsd(ssd.path()).with("tiered.ssd.copy.interval.ms", 100));
    }

    /** What the other test is measured by. */
    @Test
    void writesThatTheDiskRefusesFailItsLogDirAloneInStock() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", DISK_BYTES);
        failWrites(hdd, hdd::refuseWrites, onHdd(hdd.path()).stock());
    }

    private interface Failure {
        void begin() throws IOException;
    }

    private void failWrites(LoopDisk disk, Failure failure, BrokerConfig config) throws Exception {
        // Each record is on the disk before it is acknowledged.
        Broker broker = brokers.start(config.with("log.flush.interval.messages", 1));
        Two topics = create(broker);
        Properties impatient = broker.clientProperties();
        impatient.putAll(Map.of("delivery.timeout.ms", "4000", "request.timeout.ms", "2000"));
        long acknowledged;
        try (Gauges gauges = new Gauges(broker);
                RecordWriter failing = new RecordWriter(topics.failing(), impatient);
                RecordWriter healthy = new RecordWriter(topics.healthy(), broker.clientProperties())) {
            for (int i = 0; i < BETWEEN_ROLLS / BATCH_RECORDS; i++) {
                append(failing);
                append(healthy);
            }
            failure.begin();
            assertThatThrownBy(() -> append(failing))
                    .hasMessage("writing " + topics.failing().topic() + " failed");
            await().atMost(DEADLINE).until(() -> gauges.offlineLogDirs() == 1);
            append(healthy);
            if (config.agentJar() != null) {
                await().atMost(DEADLINE).until(() -> gauges.tier("SuspectSsds") == 1);
            }
            acknowledged = failing.acknowledgedEnd(0);
        }
        assertThat(broker.said("Stopping serving logs in dir"))
                .singleElement()
                .asString()
                .contains("" + config.logDirs().get(0));
        topics.healthy().verifyAll(broker.clientProperties());

        broker.stop();
        disk.acceptWrites();
        disk.unmount();
        disk.mount();
        broker.start();
        Range found = Objects.requireNonNull(
                topics.failing().verifyAll(broker.clientProperties()).get(0));
        System.out.println("acknowledged " + acknowledged + ", found " + found);
        assertThat(acknowledged).isGreaterThanOrEqualTo(BETWEEN_ROLLS);
        assertThat(found.first()).isZero();
        assertThat(found.end()).isGreaterThanOrEqualTo(acknowledged);
        topics.healthy().verifyAll(broker.clientProperties());
    }

    private static void append(RecordWriter writer) {
        for (int i = 0; i < BATCH_RECORDS; i++) {
            writer.send(0);
        }
        writer.flush();
    }

    /** Nothing wrong is read meanwhile, and the other log directory goes on. */
    private static void readUntilTheLogDirIsOffline(Broker broker, Two topics, Segment unreadable) throws Exception {
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

    private static void verify(Broker broker, Two topics) {
        assertThat(topics.failing().verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, PER_TOPIC));
        assertThat(topics.healthy().verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, PER_TOPIC + 1));
    }

    /** The first log directory's SSD is on that disk, everything else on healthy ones. */
    private BrokerConfig onSsd(Path disk) {
        BrokerConfig config = config();
        return config.withSsdDirs(disk.resolve("tier"), config.ssdDirs().get(1));
    }

    /** The first log directory is on that disk, everything else on healthy ones. */
    private BrokerConfig onHdd(Path disk) {
        BrokerConfig config = config();
        return config.withLogDirs(disk.resolve("kafka"), config.logDirs().get(1));
    }

    private BrokerConfig config() {
        return BrokerConfig.under(dir.resolve("node"), 2, 2)
                .patched()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES / 2);
    }

    /** Kafka puts each topic into the log directory with fewer partitions. */
    private static Two create(Broker broker) {
        Records one = new Records("one", 1, 1000);
        Records two = new Records("two", 1, 1000);
        for (Records topic : List.of(one, two)) {
            new Topics(broker).create(topic, Map.of());
            topic.produce(broker.clientProperties(), 0);
        }
        Path first = broker.config().logDirs().get(0);
        return Files.exists(first.resolve("one-0")) ? new Two(one, two) : new Two(two, one);
    }

    /** The sealed segment with so many before it, as soon as it is in that state. */
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
