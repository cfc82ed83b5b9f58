/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * An HDD that hangs in the middle of a copy, and what producers and consumers notice of it: nothing, if its file system
 * is XFS, mounted with {@code lazytime}.
 *
 * <p>Kafka's index files are on that disk and are written through a mapping. The first write to a page after it was
 * written back sets the file's time. On ext4, that waits for the journal, and the journal for the disk. A thread that
 * waits in a mapping cannot be stopped for a garbage collection either, so that soon the whole broker stands still,
 * patched or not.
 */
@Tag("long")
@Timeout(300)
class HungHddIT {
    private static final long DISK_BYTES = 2L << 30;
    private static final int SEGMENT_BYTES = 4 << 20;
    /** Of the topic that is written to: a roll makes files on the disk, so none is due while it hangs. */
    private static final int LARGE_SEGMENT_BYTES = 256 << 20;

    private static final int BATCH_RECORDS = 20;
    private static final long PAUSE_MS = 20;
    private static final int MANY = 100;
    private static final Duration FROZEN = Duration.ofSeconds(12);
    /** More than the broker has request handlers. */
    private static final int LOOKUPS = 16;

    /**
     * Until a thread of the broker waits on ext4: for a page to be written back, and for a commit of the journal to be
     * due.
     */
    private static final Duration UNTIL_IT_HANGS = Duration.ofSeconds(90);

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    /** Much longer than a busy machine delays a request, and much shorter than the disk hangs. */
    private static final long HANG_MS = 8_000;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records live = new Records("live", 2, 1000);
    private final Records onSsd = new Records("on-ssd", 1, 4000);
    private final Records onHdd = new Records("on-hdd", 1, 4000);

    @Test
    void hungHddDelaysNeitherProduceNorReadsFromTheSsd() throws Exception {
        LoopDisk hdd = disks.xfs(dir, "hdd", DISK_BYTES);
        hdd.remount("lazytime");
        BrokerConfig config = config(hdd);
        Broker broker = brokers.start(config);
        fill(broker);
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(live, broker.clientProperties());
                RecordReader tail = new RecordReader(broker, live);
                RecordReader ssdReader = new RecordReader(broker, onSsd);
                RecordReader hddReader = new RecordReader(broker, onHdd);
                Repeated produce = new Repeated("produce", PAUSE_MS, () -> produce(writer));
                Repeated consume = new Repeated("consume", 0, tail::readOn);
                Repeated reread = new Repeated("reread", PAUSE_MS, ssdReader::readAnywhere)) {
            List<Repeated> clients = List.of(produce, consume, reread);
            awaitMany(clients);
            awaitMiddleOfCopy(config, gauges);
            longestMs("before", clients);

            long copied = gauges.tier("CopiedSegments");
            CompletableFuture<Void> fromHdd = hdd.whileFrozen(() -> {
                CompletableFuture<Void> read = CompletableFuture.runAsync(hddReader::readOn);
                CompletableFuture<Void> lookups = lookUpTimes(broker);
                awaitEndOf(FROZEN);
                assertThat(read).as("it waits for the disk").isNotDone();
                assertThat(lookups).as("they wait for the disk").isNotDone();
                assertThat(longestMs("frozen", clients)).allMatch(ms -> ms < HANG_MS);
                awaitMany(clients);
                assertThat(gauges.tier("CopiedSegments")).as("the copy hangs").isEqualTo(copied);
                return CompletableFuture.allOf(read, lookups);
            });
            fromHdd.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            await().atMost(DEADLINE).until(() -> gauges.tier("CopiedSegments") > copied + 1);
            awaitMany(clients);
            longestMs("after", clients);
        }
        live.verifyAll(broker.clientProperties());
        onSsd.verifyAll(broker.clientProperties());
    }

    /** Many consumers ask for the first offset of the topic on the HDD by its time. */
    private CompletableFuture<Void> lookUpTimes(Broker broker) {
        return CompletableFuture.allOf(IntStream.range(0, LOOKUPS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> lookUpTime(broker), task -> new Thread(task).start()))
                .toArray(CompletableFuture<?>[]::new));
    }

    private void lookUpTime(Broker broker) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(broker.clientProperties(), bytes, bytes)) {
            TopicPartition first = new TopicPartition(onHdd.topic(), 0);
            assertThat(consumer.offsetsForTimes(Map.of(first, 1L)))
                    .extractingByKey(first)
                    .extracting(OffsetAndTimestamp::offset)
                    .isEqualTo(0L);
        }
    }

    /** Why the other test is on XFS, and that it would see a delay. */
    @Test
    void onExt4ProducersWaitForTheHungHdd() throws Exception {
        LoopDisk hdd = disks.ext4(dir, "hdd", DISK_BYTES);
        BrokerConfig config = config(hdd);
        Broker broker = brokers.start(config);
        fill(broker);
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(live, broker.clientProperties());
                Repeated produce = new Repeated("produce", PAUSE_MS, () -> produce(writer))) {
            awaitMany(List.of(produce));
            awaitMiddleOfCopy(config, gauges);
            hdd.whileFrozen(() -> {
                await("producers wait").atMost(UNTIL_IT_HANGS).until(() -> produce.takeLongestMs() > HANG_MS);
                return null;
            });
            awaitMany(List.of(produce));
        }
        live.verifyAll(broker.clientProperties());
    }

    private BrokerConfig config(LoopDisk hdd) throws IOException {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        return BrokerConfig.under(dir.resolve("node"), 0, 0)
                .withLogDirs(hdd.path().resolve("kafka"))
                .withSsdDirs(ssd.path().resolve("tier"))
                .patched()
                .with("log.segment.bytes", LARGE_SEGMENT_BYTES)
                // Becoming leader writes to the HDD; a busy machine must not make the broker lose its session.
                .with("broker.session.timeout.ms", 60_000)
                .with("broker.heartbeat.interval.ms", 2_000)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES * 3 / 4)
                .with("tiered.ssd.excluded.topics", onHdd.topic())
                // so slow that there is always a copy under way
                .with("tiered.ssd.copy.min.bytes.per.second", 1 << 20)
                .with("tiered.ssd.copy.bytes.per.second", 1 << 20)
                .with("tiered.ssd.copy.interval.ms", 100);
    }

    private void fill(Broker broker) throws IOException {
        Topics topics = new Topics(broker);
        Map<String, String> small = Map.of("segment.bytes", "" + SEGMENT_BYTES);
        topics.create(onHdd, small);
        topics.create(onSsd, small);
        topics.create(live, Map.of());
        onHdd.produce(broker.clientProperties(), 2_000);
        onSsd.produce(broker.clientProperties(), 20_000);
        PageCache.drop(SegmentFiles.of(broker.config()).of(onHdd.topic()).in(WITHOUT_CACHE));
    }

    private void produce(RecordWriter writer) {
        for (int i = 0; i < BATCH_RECORDS; i++) {
            writer.send(i % live.partitions());
        }
        writer.flush();
    }

    /** Each copy takes seconds, so this one is not over when the disk hangs. */
    private static void awaitMiddleOfCopy(BrokerConfig config, Gauges gauges) {
        await().atMost(DEADLINE).until(() -> gauges.tier("CopiedSegments") > 1);
        await().atMost(DEADLINE).until(() -> !SegmentFiles.of(config).strays().isEmpty());
    }

    private static void awaitMany(List<Repeated> clients) {
        for (Repeated client : clients) {
            long count = client.count();
            await(client.toString()).atMost(DEADLINE).until(() -> client.count() > count + MANY);
        }
    }

    private static void awaitEndOf(Duration time) {
        long endNanos = System.nanoTime() + time.toNanos();
        await().atMost(time.plus(DEADLINE)).until(() -> System.nanoTime() > endNanos);
    }

    /** The longest wait of each client since the last call. */
    private static List<Long> longestMs(String when, List<Repeated> clients) {
        List<Long> longestMs = clients.stream().map(Repeated::takeLongestMs).toList();
        System.out.printf("%s: longest %s %s ms%n", when, clients, longestMs);
        return longestMs;
    }
}
