/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static io.evenkeel.it.stock.Twins.BATCHES;
import static io.evenkeel.it.stock.Twins.SEGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.RawClient;
import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.Leaders;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Tls;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a log is asked for, and what is done to its records, comes out as with stock, in whatever state its segments
 * are.
 */
class StayStockRecordsIT {
    @RegisterExtension
    static final Twins TWINS = new Twins(Tls::listen);

    private static final long FIRST_MS = System.currentTimeMillis() - 3_600_000;

    @Test
    void compactionKeepsTheSameRecordsAndWritesThemToTheHdd() {
        SameBatches updates = new SameBatches("compacted", 700, offset -> FIRST_MS + offset);
        TWINS.create("compacted", Map.of());
        TWINS.both(broker -> updates.append(broker, BATCHES));
        TWINS.awaitBothDisks("compacted");
        TWINS.both(broker -> new Topics(broker)
                .configure("compacted", Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01")));
        long cleanUpTo = lastBaseOffset(TWINS.stock(), "compacted");
        TWINS.both(broker -> await().atMost(Twins.DEADLINE)
                .until(() -> cleanerCheckpoints(broker), all -> all.contains("compacted 0 " + cleanUpTo)));
        List<String> kept = TWINS.same(broker -> Reading.all(broker, "compacted"));
        assertThat(kept).hasSizeBetween(700, BATCHES * SameBatches.RECORDS / 2);
        TWINS.awaitSame(
                broker -> Twins.segmentBytes(broker, "compacted"),
                segments -> segments.get(0).contains(".log 0 "));
        List<Segment> tiered =
                SegmentFiles.of(TWINS.tiered().config()).of("compacted").segments();
        assertThat(tiered)
                .allSatisfy(segment -> assertThat(segment.state())
                        .isEqualTo(segment.baseOffset() < cleanUpTo ? State.WITHOUT_CACHE : State.ONLY_CACHE));
        TWINS.awaitNoStrays();
    }

    @Tag("long")
    @Test
    void transactionsEndAsTheyEndWithStock() {
        TWINS.create("transactions", Map.of());
        TWINS.both(StayStockRecordsIT::commitAndAbort);
        TWINS.awaitBothDisks("transactions");
        for (String isolation : List.of("read_committed", "read_uncommitted")) {
            List<String> found = TWINS.same(broker ->
                    Reading.all(broker.clientProperties(), "transactions", Map.of("isolation.level", isolation)));
            assertThat(found).hasSize(isolation.equals("read_committed") ? 1200 : 3600);
        }
        TWINS.both(broker -> {
            broker.kill();
            broker.start();
        });
        TWINS.awaitSame(
                broker -> Reading.all(
                        broker.clientProperties(), "transactions", Map.of("isolation.level", "read_committed")),
                found -> found.size() == 1200);
    }

    /** 36 transactions of 400 KB; every third is committed, and the last one stays open for its reader. */
    @SuppressWarnings("FutureReturnValueIgnored") // the records are counted when they are read
    private static void commitAndAbort(Broker broker) {
        Properties properties = broker.clientProperties();
        properties.put("transactional.id", "writer");
        Records values = new Records("transactions", 1, FIRST_MS, 4000);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            producer.initTransactions();
            for (int transaction = 0; transaction < 36; transaction++) {
                producer.beginTransaction();
                List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    records.add(values.at(0, transaction * 101L + i));
                }
                records.forEach(producer::send);
                producer.flush();
                if (transaction == 20) {
                    assertThat(stable(broker)).isEqualTo(transaction * 101L);
                }
                if (transaction % 3 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
    }

    private static long stable(Broker broker) {
        return new Topics(broker).lastStable("transactions", 0);
    }

    @Test
    void timesAndEpochsAreFoundAsWithStock() {
        SameBatches batches = new SameBatches("lookups", 1000, offset -> FIRST_MS + offset * 7 % 10_000);
        TWINS.create("lookups", Map.of());
        TWINS.both(broker -> batches.append(broker, 50));
        for (int more : new int[] {40, 50}) {
            TWINS.both(broker -> {
                broker.restart();
                Leaders.await(broker.clientProperties(), List.of(new TopicPartition("lookups", 0)));
                batches.append(broker, more);
            });
        }
        TWINS.awaitBothDisks("lookups");
        for (int i = -1; i <= 40; i++) {
            OffsetSpec time = OffsetSpec.forTimestamp(FIRST_MS + i * 251L);
            TWINS.same(broker -> {
                var answer = new Topics(broker).offset("lookups", 0, time);
                return answer.offset() + "@" + answer.timestamp();
            });
        }
        for (OffsetSpec spec : List.of(OffsetSpec.maxTimestamp(), OffsetSpec.earliestLocal(), OffsetSpec.latest())) {
            TWINS.same(broker -> new Topics(broker).offset("lookups", 0, spec).offset());
        }
        List<Long> ends = TWINS.same(broker -> epochEnds(broker, "lookups"));
        assertThat(ends).contains(50L * SameBatches.RECORDS, 90L * SameBatches.RECORDS, 140L * SameBatches.RECORDS);
    }

    private static List<Long> epochEnds(Broker broker, String topic) {
        int epoch = new Topics(broker)
                .offset(topic, 0, OffsetSpec.latest())
                .leaderEpoch()
                .orElseThrow();
        try (RawClient client = new RawClient(broker)) {
            return client.epochEnds(topic, 0, epoch);
        }
    }

    @Tag("long")
    @Test
    void preallocatedSegmentsAreTrimmedAsWithStock() {
        SameBatches batches = new SameBatches("preallocated", FIRST_MS);
        TWINS.create("preallocated", Map.of("preallocate", "true"));
        TWINS.both(broker -> batches.append(broker, BATCHES));
        TWINS.awaitBothDisks("preallocated");
        List<String> segments = TWINS.same(broker -> Twins.segmentBytes(broker, "preallocated"));
        assertThat(segments.get(segments.size() - 1)).contains(".log " + SEGMENT_BYTES + " ");
        TWINS.same(broker -> Reading.all(broker, "preallocated"));
        TWINS.both(broker -> {
            broker.kill();
            broker.start();
        });
        TWINS.both(broker -> batches.append(broker, 30));
        TWINS.same(broker -> Reading.all(broker, "preallocated"));
        TWINS.same(broker -> Twins.segmentBytes(broker, "preallocated"));
    }

    /** With TLS a fetch is read, encrypted and written instead of being handed over by the kernel. */
    @Test
    void recordsAreReadOverTls() {
        SameBatches batches = new SameBatches("tls", FIRST_MS);
        TWINS.create("tls", Map.of());
        TWINS.both(broker -> batches.append(broker, BATCHES));
        TWINS.awaitBothDisks("tls");
        List<String> overTls = TWINS.same(broker -> Reading.all(Tls.client(broker), "tls", Map.of()));
        assertThat(overTls).hasSize(BATCHES * SameBatches.RECORDS).isEqualTo(Reading.all(TWINS.tiered(), "tls"));
    }

    private static long lastBaseOffset(Broker broker, String topic) {
        return SegmentFiles.of(broker.config()).of(topic).segments().stream()
                .max(Comparator.comparingLong(Segment::baseOffset))
                .orElseThrow()
                .baseOffset();
    }

    /** The cleaner's checkpoints in all log directories. */
    private static List<String> cleanerCheckpoints(Broker broker) {
        return broker.config().logDirs().stream()
                .map(logDir -> logDir.resolve("cleaner-offset-checkpoint"))
                .filter(Files::exists)
                .flatMap(StayStockRecordsIT::lines)
                .toList();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
