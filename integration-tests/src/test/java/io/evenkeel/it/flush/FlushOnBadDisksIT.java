/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Flushing by rate on a disk that fails writes, and on one that hangs; beside it is a healthy one. */
@Timeout(300)
class FlushOnBadDisksIT {
    private static final long DISK_BYTES = 1L << 30;
    private static final Duration FROZEN = Duration.ofSeconds(10);
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long MAX_BYTES = 4 << 20;
    private static final long MAX_MS = 2_000;
    private static final int BATCH_RECORDS = 50;
    private static final long PAUSE_MS = 10;
    private static final long STUTTER_MS = 300;
    private static final int NEW_PRODUCERS = 60;
    private static final int BATCHES = 10;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void aFailedFlushTakesOnlyItsLogDirOffline() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", DISK_BYTES);
        BrokerConfig config = config(hdd);
        Broker broker = brokers.start(config);
        List<Records> topics = topicsOf(broker);
        Records bad = topics.get(0);
        Records good = topics.get(1);
        bad.produce(broker.clientProperties(), 1000);
        long flushedEnd;
        try (Gauges gauges = new Gauges(broker)) {
            await().atMost(DEADLINE).until(() -> gauges.flush("PendingBytes") == 0);
            flushedEnd = 1000;
            hdd.refuseWrites();
            // acknowledged from the page cache; the flush comes later and fails
            bad.produce(broker.clientProperties(), 100);
            await().atMost(DEADLINE).until(() -> gauges.offlineLogDirs() == 1);
            await().atMost(DEADLINE).until(() -> gauges.flush("FailedLogDirs") == 1);
            long flushes = gauges.flush("Flushes");
            good.produce(broker.clientProperties(), 1000);
            await("the other goes on").atMost(DEADLINE).until(() -> gauges.flush("Flushes") > flushes);
            assertThat(gauges.offlineLogDirs()).isEqualTo(1);
        }
        assertThat(broker.said("A flush failed in " + config.logDirs().get(0))).hasSize(1);
        good.verifyAll(broker.clientProperties());

        broker.stop();
        hdd.acceptWrites();
        hdd.unmount();
        hdd.mount();
        broker.start();
        Records.Range found =
                Objects.requireNonNull(bad.verifyAll(broker.clientProperties()).get(0));
        assertThat(found.end()).isGreaterThanOrEqualTo(flushedEnd);
        good.verifyAll(broker.clientProperties());
    }

    @Tag("long")
    @Test
    void whileADiskHangsAppendsToItGoOnBeyondTheBounds() throws Exception {
        LoopDisk hdd = disks.xfs(dir, "hdd", DISK_BYTES);
        hdd.remount("lazytime");
        Broker broker = brokers.start(config(hdd));
        List<Records> topics = topicsOf(broker);
        Records hung = topics.get(0);
        Records other = topics.get(1);
        try (Gauges gauges = new Gauges(broker);
                RecordWriter toHung = new RecordWriter(hung, broker.clientProperties());
                RecordWriter toOther = new RecordWriter(other, broker.clientProperties());
                Repeated produce = new Repeated("produce", PAUSE_MS, () -> append(toHung));
                Repeated produceToOther = new Repeated("other", PAUSE_MS, () -> append(toOther))) {
            await().atMost(DEADLINE).until(() -> gauges.flush("Flushes") > 5);
            assertThat(gauges.flush("AppendWaits")).isZero();
            produceToOther.takeLongestMs();
            produce.takeLongestMs();
            hdd.whileFrozen(() -> {
                long thawNanos = System.nanoTime() + FROZEN.toNanos();
                await("the operator learns of it").atMost(FROZEN).until(() -> gauges.flush("BoundsExceeded") > 0);
                await().atMost(FROZEN.multipliedBy(2)).until(() -> System.nanoTime() > thawNanos);
                return null;
            });
            await("it ends by itself").atMost(DEADLINE).until(() -> gauges.flush("WaitingAppends") == 0);
            print(gauges, produce.takeLongestMs(), produceToOther.takeLongestMs());
            assertThat(broker.said("exceeds a bound of flushing by rate")).isNotEmpty();
            long end = toHung.acknowledgedEnd(0);
            await().atMost(DEADLINE).until(() -> toHung.acknowledgedEnd(0) > end + 20 * BATCH_RECORDS);
            assertThat(gauges.offlineLogDirs()).isZero();
        }
        hung.verifyAll(broker.clientProperties());
        other.verifyAll(broker.clientProperties());
    }

    private static void print(Gauges gauges, long longestMs, long othersLongestMs) throws Exception {
        System.out.printf(
                "longest %d ms, others' %d ms; waits %d (%d ms), exceeded %d; highest %d bytes, %d ms%n",
                longestMs,
                othersLongestMs,
                gauges.flush("AppendWaits"),
                gauges.flush("AppendWaitMs"),
                gauges.flush("BoundsExceeded"),
                gauges.flush("HighestPendingBytes"),
                gauges.flush("HighestPendingSpanMs"));
    }

    /** Producers that try nothing again see each error, and none of their records may come twice or out of order. */
    @Test
    void producersSeeNoErrorWhileADiskStutters() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", DISK_BYTES);
        Broker broker = brokers.start(
                config(hdd).with("num.io.threads", 2).with("flush.ratelimit.max.unflushed.ms", STUTTER_MS / 3));
        TopicPartition partition = new TopicPartition(topicsOf(broker).get(0).topic(), 0);
        List<KafkaProducer<Integer, Integer>> producers = new ArrayList<>();
        try (Repeated stutter = new Repeated(
                "stutter",
                PAUSE_MS,
                () -> hdd.whileFrozen(() -> {
                    TimeUnit.MILLISECONDS.sleep(STUTTER_MS);
                    return null;
                }))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int id = 0; id < NEW_PRODUCERS; id++) {
                producers.add(oneRecordABatch(broker));
            }
            for (int sequence = 0; sequence < BATCHES; sequence++) {
                for (int id = 0; id < NEW_PRODUCERS; id++) {
                    sent.add(producers
                            .get(id)
                            .send(new ProducerRecord<>(partition.topic(), partition.partition(), id, sequence)));
                }
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
            stutter.throwIfFailed();
        } finally {
            producers.forEach(producer -> producer.close(Duration.ZERO));
        }
        Map<Integer, List<Integer>> found = byKey(broker, partition);
        assertThat(found).hasSize(NEW_PRODUCERS);
        found.forEach((id, sequences) -> assertThat(sequences)
                .as("of producer %d", id)
                .containsExactlyElementsOf(IntStream.range(0, BATCHES).boxed().toList()));
    }

    private static KafkaProducer<Integer, Integer> oneRecordABatch(Broker broker) {
        Properties properties = broker.clientProperties();
        properties.put("batch.size", "1");
        properties.put("linger.ms", "0");
        properties.put("enable.idempotence", "false");
        properties.put("retries", "0");
        return new KafkaProducer<>(properties, new IntegerSerializer(), new IntegerSerializer());
    }

    /** The records of a partition after the first one, by key. */
    private static Map<Integer, List<Integer>> byKey(Broker broker, TopicPartition partition) {
        Map<Integer, List<Integer>> found = new TreeMap<>();
        try (KafkaConsumer<Integer, Integer> consumer =
                new KafkaConsumer<>(broker.clientProperties(), new IntegerDeserializer(), new IntegerDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 1);
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            while (consumer.position(partition) < end) {
                consumer.poll(DEADLINE)
                        .forEach(one -> found.computeIfAbsent(one.key(), first -> new ArrayList<>())
                                .add(one.value()));
            }
        }
        return found;
    }

    private static void append(RecordWriter writer) {
        for (int i = 0; i < BATCH_RECORDS; i++) {
            writer.send(0);
        }
        writer.flush();
    }

    /** The first log directory is on that disk. */
    private BrokerConfig config(LoopDisk hdd) {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 2, 0);
        return config.withLogDirs(hdd.path().resolve("kafka"), config.logDirs().get(1))
                .patched()
                .with("log.flush.interval.messages", 1000)
                .with("broker.session.timeout.ms", 60_000)
                .with("broker.heartbeat.interval.ms", 2_000)
                .with("flush.ratelimit.max.unflushed.bytes", MAX_BYTES)
                .with("flush.ratelimit.max.unflushed.ms", MAX_MS);
    }

    /** Two topics, the first in the first log directory: Kafka uses the one with fewer partitions. */
    private static List<Records> topicsOf(Broker broker) {
        Records one = new Records("one", 1, 1000);
        Records two = new Records("two", 1, 1000);
        for (Records topic : List.of(one, two)) {
            new Topics(broker).create(topic, Map.of());
            topic.produce(broker.clientProperties(), 1);
        }
        Path first = broker.config().logDirs().get(0);
        return Files.exists(first.resolve("one-0")) ? List.of(one, two) : List.of(two, one);
    }
}
