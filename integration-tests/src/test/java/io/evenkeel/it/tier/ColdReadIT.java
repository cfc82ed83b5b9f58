/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkeel.it.Repeated;
import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Tls;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Consumers that read segments from the HDD, by way of the cold reader with the fewest buffers that it can have. All
 * share one network thread.
 */
@Timeout(1_500)
class ColdReadIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int CLIENTS = 6;
    private static final int RECORDS = 6_000;
    private static final int VANISHING = 20;

    private static final int SAMPLES = 10_000;
    private static final long SAMPLE_EVERY_NANOS = 100_000;
    private static final long SLOW_BYTES_PER_SECOND = 10 << 20;

    private static final int CEILING_BYTES_PER_SECOND = 30 << 20;
    private static final String CEILING = "tiered.ssd.cold.read.client.bytes.per.second=" + CEILING_BYTES_PER_SECOND;

    @RegisterExtension
    final Disks disks = new Disks();

    private final List<LoopDisk> slow = new ArrayList<>();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final int jmxPort = BrokerConfig.freePort();

    private final Records cold = new Records("cold", 3, 4_000);
    private final Records live = new Records("live", 1, 100);

    @Test
    void manyClientsGetEveryRecordAndAreNamedAndCounted() throws Exception {
        Broker broker = filled();
        manyRead(broker, broker.clientProperties());
    }

    @Test
    @Tag("long")
    void manyClientsGetEveryRecordOverTls() throws Exception {
        Broker broker = filled();
        manyRead(broker, Tls.client(broker));
    }

    private void manyRead(Broker broker, Properties client) throws Exception {
        client.put("client.id", "far-behind");
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(live, broker.clientProperties());
                Repeated produce = new Repeated("produce", 5, () -> {
                    writer.send(0);
                    writer.flush();
                })) {
            long before = gauges.tier("ColdReadBytes");
            List<CompletableFuture<?>> readers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                readers.add(CompletableFuture.supplyAsync(() -> cold.verifyAll(client)));
            }
            for (CompletableFuture<?> reader : readers) {
                reader.get(120, TimeUnit.SECONDS);
            }
            produce.throwIfFailed();
            assertThat(gauges.tier("ColdReadBytes") - before)
                    .as("all of it, from the HDD")
                    .isGreaterThanOrEqualTo(coldBytes(broker));
            assertThat(gauges.tier("ColdReadBufferBytes")).isEqualTo(4 << 20);
            await().atMost(DEADLINE)
                    .untilAsserted(() ->
                            assertThat(broker.said("far-behind (topic cold)")).hasSize(1));
            assertThat(gauges.tier("ColdReadClientBytes,client-id=far-behind,topic=cold"))
                    .as("the active segments are not among them")
                    .isBetween(CLIENTS * coldBytes(broker) / 2, CLIENTS * coldBytes(broker) * 2);
            assertIdle(gauges);
            assertToolNamesThem(broker, gauges);
        }
        assertThat(broker.said("ERROR")).isEmpty();
    }

    private void assertToolNamesThem(Broker broker, Gauges gauges) throws Exception {
        TierTool tool = TierTool.of(broker.config());
        assertThat(tool.ok("status", "--jmx", "localhost:" + jmxPort).out())
                .contains("Reading from the HDD now:", "far-behind  cold ");
        JsonNode reads = tool.ok("status", "--json", "--jmx", "localhost:" + jmxPort)
                .json()
                .at("/hddReads");
        assertThat(reads.at("/clients/0/bytes").asLong())
                .isEqualTo(gauges.tier("ColdReadClientBytes,client-id=far-behind,topic=cold"));
        assertThat(reads.at("/bufferBytes").asLong()).isEqualTo(4 << 20);
        assertThat(reads.at("/waitingSends").asLong()).isZero();
    }

    /** And a stock broker takes the disks back, as nothing was written there. */
    @Tag("long")
    @Test
    void aBrokerWithoutAnSsdHasThemToo() throws Exception {
        BrokerConfig config =
                onSlowHdd("without-ssd").withSsdDirs().patched().with("tiered.ssd.cold.read.enable", "true");
        Broker broker = brokers.start(config);
        assertThat(broker.said("Cold reads are on, without an SSD")).hasSize(1);
        assertThat(diskWaits(broker)).isEmpty();
        try (Gauges gauges = new Gauges(broker)) {
            assertThat(gauges.tier("ColdReadBytes")).isPositive();
            assertThat(gauges.tier("PlacedOnHdd")).isZero();
            assertThat(gauges.tier("SegmentsOnlyCache")).isZero();
        }
        assertThat(broker.said("WARN")).noneMatch(line -> line.contains("evenkeel"));
        broker.stop();
        try (Stream<Path> files = Files.list(config.logDirs().get(0))) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().contains("tiered"));
        }
        cold.verifyAll(brokers.start(config.stock()).clientProperties());
    }

    /** The same sampler sees them wait in stock. */
    @Test
    void noNetworkThreadWaitsForADisk() throws Exception {
        assertThat(diskWaits(brokers.start(onSlowHdd("stock").stock()))).hasSizeGreaterThan(SAMPLES / 20);
        assertThat(diskWaits(brokers.start(onSlowHdd("ours")
                        .patched()
                        .with("tiered.ssd.excluded.topics", cold.topic())
                        .with("tiered.ssd.capacity.bytes", 256 << 20))))
                .isEmpty();
        assertThat(diskWaits(brokers.start(onSlowSsd().patched().with("tiered.ssd.capacity.bytes", 512 << 20))))
                .as("of an SSD that is as slow as the HDD")
                .isEmpty();
    }

    private BrokerConfig onSlowSsd() throws IOException {
        LoopDisk ssd = disks.xfs(dir, "slow-ssd", 1L << 30);
        slow.add(ssd);
        return BrokerConfig.under(dir.resolve("slow-ssd-node"), 1, 0)
                .withSsdDirs(ssd.path().resolve("tier"));
    }

    private BrokerConfig onSlowHdd(String name) throws IOException {
        LoopDisk hdd = disks.xfs(dir, name, 1L << 30);
        slow.add(hdd);
        return BrokerConfig.under(dir.resolve(name + "-node"), 0, 1)
                .withLogDirs(hdd.path().resolve("kafka"));
    }

    /**
     * Of so many samples while one consumer reads sealed segments that are on the disk alone. The active ones stay in
     * memory, because they are read as in stock; a slow machine comes to them before it has all samples.
     */
    private List<String> diskWaits(Broker broker) throws Exception {
        LoopDisk disk = slow.get(slow.size() - 1);
        new Topics(broker).create(cold, Map.of("segment.bytes", "" + (8 << 20)));
        cold.produce(broker.clientProperties(), RECORDS);
        disk.sync();
        PageCache.drop(SegmentFiles.of(broker.config()).of(cold.topic()).sealed());
        disk.slowDown(SLOW_BYTES_PER_SECOND);
        DiskWaits waits = new DiskWaits(broker);
        CompletableFuture<?> reader = CompletableFuture.runAsync(() -> cold.verifyAll(broker.clientProperties()));
        while (waits.samples() < SAMPLES && !reader.isDone()) {
            waits.sample();
            LockSupport.parkNanos(SAMPLE_EVERY_NANOS);
        }
        disk.slowDown(0);
        reader.get(60, TimeUnit.SECONDS);
        System.out.println(broker.config().nodeDir().getFileName() + ": of " + waits.samples() + " samples "
                + waits.places().size() + " waited for a disk");
        return waits.places();
    }

    /** Each client by itself, all its connections together, and also after a restart. */
    @Test
    @Tag("long")
    void aClientGetsNoMoreThanItsCeiling() throws Exception {
        Broker broker = filled();
        assertThat(Tool.brokerConfigs(dir, broker, "--alter", "--entity-default", "--add-config", CEILING)
                        .exit())
                .isZero();
        Files.delete(broker.logFile());
        broker.restart();
        await().atMost(DEADLINE)
                .until(() ->
                        !broker.said("Settings of the SSD tier have changed").isEmpty());
        Properties client = broker.clientProperties();
        client.put("client.id", "far-behind");
        long beganNanos = System.nanoTime();
        CompletableFuture<?> one = CompletableFuture.runAsync(() -> cold.verifyAll(client));
        cold.verifyAll(client);
        one.get(60, TimeUnit.SECONDS);
        assertThat((System.nanoTime() - beganNanos) / 1e9)
                .as("seconds for what two consumers read from the HDD")
                .isGreaterThan(2.0 * coldBytes(broker) / CEILING_BYTES_PER_SECOND);
        try (Gauges gauges = new Gauges(broker)) {
            assertIdle(gauges);
        }
    }

    @Tag("long")
    @Test
    void clientsThatVanishLeaveNothingBehind() throws Exception {
        Broker broker = filled();
        try (Gauges gauges = new Gauges(broker)) {
            cold.verifyAll(broker.clientProperties());
            long openFiles = openFiles(broker);
            for (int i = 0; i < VANISHING; i++) {
                vanish(broker, i);
            }
            cold.verifyAll(broker.clientProperties());
            assertIdle(gauges);
            await().atMost(DEADLINE).until(() -> openFiles(broker) <= openFiles + 2);
        }
    }

    /** Others read meanwhile, and get every record. */
    @Test
    @Tag("long")
    void manyClientsThatVanishForMinutesLeaveNothingBehind() throws Exception {
        Broker broker = filled();
        try (Gauges gauges = new Gauges(broker)) {
            cold.verifyAll(broker.clientProperties());
            long openFiles = openFiles(broker);
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("vanish.seconds", 600));
            AtomicInteger rounds = new AtomicInteger();
            List<CompletableFuture<?>> threads = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                boolean staysUntilTheEnd = i == 0;
                threads.add(CompletableFuture.runAsync(
                        () -> {
                            while (System.nanoTime() < endNanos) {
                                if (staysUntilTheEnd) {
                                    cold.verifyAll(broker.clientProperties());
                                } else {
                                    vanish(broker, rounds.incrementAndGet());
                                }
                            }
                        },
                        thread -> new Thread(thread, "client").start()));
            }
            for (CompletableFuture<?> thread : threads) {
                thread.get(20, TimeUnit.MINUTES);
            }
            System.out.println(rounds.get() + " clients have vanished");
            assertIdle(gauges);
            await().atMost(DEADLINE).until(() -> openFiles(broker) <= openFiles + 2);
            cold.verifyAll(broker.clientProperties());
            assertIdle(gauges);
        }
        assertThat(broker.said("ERROR"))
                .as("a machine this busy may be late with heartbeats")
                .allMatch(line -> line.contains("Timed out heartbeat"));
    }

    /** Asks for records, and goes away without waiting for them. */
    private void vanish(Broker broker, int round) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(broker.clientProperties(), bytes, bytes)) {
            TopicPartition partition = new TopicPartition(cold.topic(), round % cold.partitions());
            consumer.assign(List.of(partition));
            consumer.seek(partition, round * 7_919L % RECORDS);
            consumer.poll(Duration.ofMillis(1 + round % 20));
        }
    }

    private static void assertIdle(Gauges gauges) {
        await().atMost(DEADLINE).until(() -> gauges.tier("ColdReadWaitingSends") == 0);
        await().atMost(DEADLINE).until(() -> gauges.tier("ColdReadQueue") == 0);
    }

    private static long openFiles(Broker broker) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + broker.pid() + "/fd"))) {
            return files.count();
        }
    }

    /** Of the sealed segments, as others are read as in stock. */
    private long coldBytes(Broker broker) {
        return SegmentFiles.of(broker.config()).of(cold.topic()).sealed().stream()
                .mapToLong(SegmentFiles.Segment::bytes)
                .sum();
    }

    /** With a topic on the HDD that is not in the page cache. */
    private Broker filled() throws IOException {
        BrokerConfig config = Tls.listen(BrokerConfig.under(dir.resolve("broker"), 1, 1))
                .patched()
                .withJmx(jmxPort)
                .with("num.network.threads", 1)
                .with("tiered.ssd.capacity.bytes", 512 << 20)
                .with("tiered.ssd.excluded.topics", cold.topic())
                .with("tiered.ssd.cold.read.buffer.bytes", 1);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(cold, Map.of("segment.bytes", "" + (8 << 20)));
        topics.create(live, Map.of());
        cold.produce(broker.clientProperties(), RECORDS);
        PageCache.drop(SegmentFiles.of(config).of(cold.topic()).segments());
        return broker;
    }
}
