/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that refuses writes under a broker with two log directories, each with an SSD of its own: that log directory
 * goes offline, the other one goes on, and nothing acknowledged is lost.
 */
@Timeout(180)
class RefusedWritesIT {
    /** Ends in the middle of a segment, however the producer batches it: a new segment would go to the other disk. */
    private static final long BETWEEN_ROLLS = 3500;

    private static final int BATCH_RECORDS = 20;
    private static final int NEVER_MS = 3_600_000;
    /** An index that has filled one page needs another on the disk. */
    private static final int MOST_BATCHES = 1000;

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Tag("long")
    @Test
    void writesThatTheSsdRefusesFailItsLogDirAlone() throws Exception {
        LoopDisk ssd = disks.ext4(dir, "ssd", TwoLogDirs.DISK_BYTES);
        failWrites(ssd, ssd::refuseWrites, TwoLogDirs.onSsd(dir, ssd.path()).with("tiered.ssd.copy.interval.ms", 100));
    }

    /** Here the append fails; in the other tests the flush after it does. */
    @Test
    void ssdThatTurnsReadOnlyFailsItsLogDirAlone() throws Exception {
        LoopDisk ssd = disks.ext4(dir, "ssd", TwoLogDirs.DISK_BYTES);
        failWrites(ssd, ssd::turnReadOnly, TwoLogDirs.onSsd(dir, ssd.path()).with("tiered.ssd.copy.interval.ms", 100));
    }

    /** Stock behaves alike. */
    @Test
    @Tag("long")
    void writesThatTheDiskRefusesFailItsLogDirAloneInStock() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", TwoLogDirs.DISK_BYTES);
        failWrites(hdd, hdd::refuseWrites, TwoLogDirs.onHdd(dir, hdd.path()).stock());
    }

    /** The records go to the SSD, and an index cannot grow. */
    @Tag("long")
    @Test
    void fullHddFailsItsLogDirAlone() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", TwoLogDirs.DISK_BYTES);
        Path filler = hdd.path().resolve("foreign-file");
        // Segments are so long that none is full, and Kafka writes no checkpoint: both would need the HDD as well.
        BrokerConfig config = TwoLogDirs.onHdd(dir, hdd.path())
                .with("log.segment.bytes", 32 << 20)
                .with("log.index.interval.bytes", 1)
                .with("replica.high.watermark.checkpoint.interval.ms", NEVER_MS)
                .with("log.flush.offset.checkpoint.interval.ms", NEVER_MS)
                .with("log.flush.start.offset.checkpoint.interval.ms", NEVER_MS);
        failWrites(hdd, () -> fill(filler), () -> Files.delete(filler), config, "mapped into memory");
    }

    /** Appends go on until the log rolls, since the file system takes what is written to its pages in memory. */
    @Test
    @Tag("long")
    void hddThatTurnsReadOnlyFailsItsLogDirAloneWhenItsLogRolls() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", TwoLogDirs.DISK_BYTES);
        failWrites(hdd, hdd::turnReadOnly, () -> {}, TwoLogDirs.onHdd(dir, hdd.path()), "Read-only file system");
    }

    /** To the last byte, also of what the file system keeps for root. */
    private static void fill(Path filler) throws IOException {
        try (FileChannel channel = FileChannel.open(filler, CREATE_NEW, WRITE)) {
            for (int bytes = 1 << 20; bytes >= 512; bytes /= 2) {
                fill(channel, bytes);
            }
        }
    }

    private static void fill(FileChannel channel, int bytes) {
        try {
            while (true) {
                channel.write(ByteBuffer.allocate(bytes));
                channel.force(false);
            }
        } catch (IOException full) {
            // the next try is smaller
        }
    }

    private interface Failure {
        void begin() throws IOException;
    }

    private void failWrites(LoopDisk disk, Failure failure, BrokerConfig config) throws Exception {
        // Each record is on the disk before it is acknowledged.
        String said = config.agentJar() == null ? "Input/output error" : "An SSD has failed";
        failWrites(disk, failure, () -> {}, config.with("log.flush.interval.messages", 1), said);
    }

    private void failWrites(LoopDisk disk, Failure failure, Failure end, BrokerConfig config, String said)
            throws Exception {
        Broker broker = brokers.start(config);
        TwoTopics topics = TwoTopics.create(broker);
        long acknowledged = failAnAppend(broker, topics, failure);
        assertThat(broker.said(said))
                .as(() -> said + " among " + saidOfDirectory(broker))
                .isNotEmpty();
        topics.healthy().verifyAll(broker.clientProperties());

        broker.stop();
        disk.acceptWrites();
        end.begin();
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

    /**
     * Appends to both topics until the failure begins and takes one log directory offline; returns what was
     * acknowledged.
     */
    private static long failAnAppend(Broker broker, TwoTopics topics, Failure failure) throws Exception {
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
            assertThatThrownBy(() -> appendFor(failing, MOST_BATCHES))
                    .hasMessage("writing " + topics.failing().topic() + " failed");
            await().atMost(DEADLINE).until(() -> gauges.offlineLogDirs() == 1);
            append(healthy);
            acknowledged = failing.acknowledgedEnd(0);
        }
        assertThat(broker.said("Stopping serving logs in dir"))
                .singleElement()
                .asString()
                .contains("" + broker.config().logDirs().get(0));
        return acknowledged;
    }

    private static String saidOfDirectory(Broker broker) {
        try {
            return String.valueOf(broker.said("rror"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void appendFor(RecordWriter writer, int batches) {
        for (int i = 0; i < batches; i++) {
            append(writer);
        }
    }

    private static void append(RecordWriter writer) {
        for (int i = 0; i < BATCH_RECORDS; i++) {
            writer.send(0);
        }
        writer.flush();
    }
}
