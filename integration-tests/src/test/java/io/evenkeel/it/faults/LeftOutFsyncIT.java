/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Load;
import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.CutDisks;
import io.evenkeel.testkit.disk.Disks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * That {@link PowerCutIT} would notice: a power cut takes what was not flushed. Where a broker leaves out an fsync of
 * the crash protocol, a cut that is aimed at it is its end, while the same cut does no harm to the broker as it is.
 *
 * <p>Here are only those fsyncs that a single one of can be left out on ext4 without another one doing its work: each
 * fsync there writes the whole journal. {@code PowerCutTest} in kafka-tiered-ssd leaves out every one.
 */
@Tag("long")
@Timeout(300)
class LeftOutFsyncIT {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int VALUE_BYTES = 20_000;
    private static final int RECORDS_PER_SEGMENT = SEGMENT_BYTES / VALUE_BYTES;
    private static final String NEVER = "3600000";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    Path dir = Path.of("target");

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    private final Records records = new Records("left-out", 1, VALUE_BYTES);

    @Test
    void unflushedDataIsLost() throws Exception {
        CutDisks power = disks.withPowerCuts(dir);
        Broker broker = brokers.start(power.broker().with("log.segment.bytes", SEGMENT_BYTES));
        new Topics(broker).create(records, Map.of());
        power.writeBackAll();
        records.produce(broker.clientProperties(), RECORDS_PER_SEGMENT);
        power.cut();
        broker.kill();
        power.powerOn();
        broker.start();
        assertThat(records.ends(broker.clientProperties())[0]).isLessThan(RECORDS_PER_SEGMENT);
    }

    /** The SSD file's name, and then the link: the link is durable, its file is not. */
    @ParameterizedTest
    @CsvSource({"SegmentFiles.fsync", "none"})
    void create(String fsync) throws Exception {
        CutDisks power = disks.withPowerCuts(dir);
        BrokerConfig config = config(power).with("tiered.ssd.copy.interval.ms", NEVER);
        // the second segment: each is a deletion and a rename. Where Kafka flushes bytes, ext4 also writes every name
        Broker broker = brokers.start(LeftOutFsync.of(config, dir, fsync, "SegmentFiles.newOnSsd", 4));
        new Topics(broker).create(records, Map.of());
        power.writeBackAll();
        Load load = load(broker);
        awaitStandstill(broker);
        power.writeBack("hdd");
        cut(power, broker);
        load.end();
        assertStart(config, fsync);
    }

    /** The link's removal, and then the SSD file's: the link is back, its file is not. */
    @ParameterizedTest
    @CsvSource({"SegmentDeletion.run", "none"})
    void delete(String fsync) throws Exception {
        CutDisks power = disks.withPowerCuts(dir);
        BrokerConfig config = config(power).with("tiered.ssd.copy.interval.ms", NEVER);
        Broker broker = brokers.start(LeftOutFsync.of(config, dir, fsync, "SsdFile.remove", 1));
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 3L * RECORDS_PER_SEGMENT);
        power.writeBackAll();
        new Topics(broker).deleteRecordsBefore(records.topic(), 0, 2L * RECORDS_PER_SEGMENT);
        awaitStandstill(broker);
        power.writeBack("ssd");
        cut(power, broker);
        assertStart(config, fsync);
    }

    /** The copy's name, and then the SSD file's removal: the link is back, its file is not. */
    @ParameterizedTest
    @CsvSource({"CopyTicket.publish", "none"})
    void copyAndEvict(String fsync) throws Exception {
        CutDisks power = disks.withPowerCuts(dir);
        BrokerConfig config = config(power)
                .with("tiered.ssd.capacity.bytes", 3 * SEGMENT_BYTES)
                .with("tiered.ssd.high.watermark.ratio", "0.4")
                .with("tiered.ssd.low.watermark.ratio", "0.1")
                // the copy is done when the load is over, and nothing else is flushed any more
                .with("tiered.ssd.copy.bytes.per.second", SEGMENT_BYTES / 4)
                .with("tiered.ssd.copy.min.bytes.per.second", SEGMENT_BYTES / 4)
                .with("tiered.ssd.copy.interval.ms", 10);
        Broker broker = brokers.start(LeftOutFsync.of(config, dir, fsync, "Evictor.remove", 1));
        new Topics(broker).create(records, Map.of());
        power.writeBackAll();
        records.produce(broker.clientProperties(), RECORDS_PER_SEGMENT * 5L / 4);
        awaitStandstill(broker);
        power.writeBack("ssd");
        cut(power, broker);
        assertStart(config, fsync);
    }

    /** Flushes each record; without records, nothing is flushed on the HDD. */
    private static BrokerConfig config(CutDisks power) {
        return power.broker()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.flush.interval.messages", 1)
                .with("log.segment.delete.delay.ms", 100)
                .with("log.retention.check.interval.ms", 200)
                .with("log.initial.task.delay.ms", 100)
                .with("replica.high.watermark.checkpoint.interval.ms", NEVER)
                .with("log.flush.offset.checkpoint.interval.ms", NEVER)
                .with("log.flush.start.offset.checkpoint.interval.ms", NEVER);
    }

    private Load load(Broker broker) {
        Load load = new Load(new RecordWriter(records, broker.clientProperties()), 1);
        load.start();
        return load;
    }

    private static void awaitStandstill(Broker broker) {
        await().atMost(DEADLINE)
                .until(() -> Commands.run("ps", "-o", "state=", "-p", "" + broker.pid())
                        .startsWith("T"));
    }

    private static void cut(CutDisks power, Broker broker) throws IOException {
        power.cut();
        broker.kill();
        power.powerOn();
    }

    /** Starts an unchanged broker on the files that the other one has left. */
    private void assertStart(BrokerConfig config, String fsync) throws Exception {
        if (fsync.equals("none")) {
            Broker broker = brokers.start(config);
            records.verifyAll(broker.clientProperties());
        } else {
            assertThat(StartRefusal.of(config)).contains("lacks files that are only there");
        }
    }
}
