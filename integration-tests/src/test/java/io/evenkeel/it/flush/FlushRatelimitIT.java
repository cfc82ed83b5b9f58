/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Flushing by rate on real brokers with healthy disks, next to stock. */
@Timeout(300)
class FlushRatelimitIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int COUNT = 1_000;
    private static final int SMALL_COUNT = 50;
    private static final long MAX_BYTES = 4 << 20;
    private static final long MAX_MS = 3_000;
    /** So long that even a slow disk keeps up. */
    private static final long LONGEST_WAIT_MS = 5_000;

    private static final int APPENDS = 500;
    private static final int RECORDS_PER_APPEND = 10;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("paced", 4, 1000);

    @Test
    void aMessageCountFlushesInStockAndNotHere() throws Exception {
        long stock = segmentFlushes(brokers.start(config("stock").stock()), Map.of());
        Broker broker = brokers.start(config("ours")
                .patched()
                .with("flush.ratelimit.max.unflushed.ms", Duration.ofHours(1).toMillis())
                .with("flush.ratelimit.max.unflushed.bytes", 1 << 30));
        long ours = segmentFlushes(broker, Map.of());
        System.out.println("segment flushes: stock " + stock + ", ours " + ours);
        assertThat(stock).isGreaterThanOrEqualTo(records.partitions() * APPENDS * RECORDS_PER_APPEND / COUNT);
        assertThat(ours).isLessThan(stock / 2);
        assertThat(broker.said("Flushing by rate is on: log.flush.interval.messages=1000 is set."))
                .hasSize(1);
    }

    @Tag("long")
    @Test
    void aMessageCountOfOneFlushesEachAppend() throws Exception {
        long ours = segmentFlushes(brokers.start(config("ours").patched()), Map.of("flush.messages", "1"));
        assertThat(ours).isGreaterThanOrEqualTo((long) records.partitions() * APPENDS);
    }

    /** A small count is a promise about durability. */
    @Test
    void aSmallMessageCountFlushesAsInStock() throws Exception {
        long ours = segmentFlushes(brokers.start(config("ours").patched()), Map.of("flush.messages", "" + SMALL_COUNT));
        assertThat(ours).isGreaterThanOrEqualTo(records.partitions() * APPENDS * RECORDS_PER_APPEND / SMALL_COUNT);
    }

    @Test
    void theBoundsHoldAndEverythingIsFlushedInTheEnd() throws Exception {
        boundsHold(config("ours").patched());
    }

    @Test
    @Tag("long")
    void theBoundsAlsoHoldOnAnSsd() throws Exception {
        BrokerConfig config = BrokerConfig.under(dir.resolve("tiered"), 1, 1)
                .with("tiered.ssd.capacity.bytes", 512 << 20)
                .with("tiered.ssd.copy.interval.ms", 100)
                .with("log.segment.bytes", 8 << 20);
        Broker broker = boundsHold(bounded(config).patched());
        try (Gauges gauges = new Gauges(broker)) {
            await().atMost(DEADLINE).until(() -> gauges.tier("CopiedSegments") > 0);
        }
    }

    /** SSD and HDD are on one disk here, so flushes and copies share one ceiling. */
    @Tag("long")
    @Test
    void copiesToAnHddAndFlushesShareTheCeilingOfTheDisk() throws Exception {
        long ceiling = 8 << 20;
        BrokerConfig config = BrokerConfig.under(dir.resolve("tiered"), 1, 1)
                .with("tiered.ssd.capacity.bytes", 512 << 20)
                .with("tiered.ssd.copy.interval.ms", 100)
                .with("log.segment.bytes", 4 << 20);
        Broker broker = brokers.start(bounded(config)
                .with("flush.ratelimit.max.unflushed.ms", 1_000)
                .with("flush.ratelimit.device.bytes.per.second", ceiling)
                .patched());
        new Topics(broker).create(records, Map.of());
        try (Gauges gauges = new Gauges(broker)) {
            long beginNanos = System.nanoTime();
            records.produce(broker.clientProperties(), 16_000);
            await().atMost(DEADLINE).until(() -> gauges.tier("CopiedBytes") >= 3 * ceiling);
            assertThat(gauges.flush("FlushedBytes")).isPositive();
            long bytes = gauges.tier("CopiedBytes") + gauges.flush("FlushedBytes");
            double seconds = (System.nanoTime() - beginNanos) / 1e9;
            System.out.printf("%d bytes flushed and copied in %.1f s%n", bytes, seconds);
            assertThat(bytes / seconds).as("bytes a second").isLessThanOrEqualTo(1.1 * ceiling);
        }
        records.verifyAll(broker.clientProperties());
    }

    /** With a bound so long that the kernel's own writeback always comes first. */
    @Test
    @Tag("long")
    void aDiskUnderConstantWritesIsSynced() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", 1L << 30);
        Broker broker = brokers.start(config("ours")
                .withLogDirs(disk.path().resolve("kafka"))
                .patched()
                .with("flush.ratelimit.max.unflushed.ms", Duration.ofHours(1).toMillis()));
        new Topics(broker).create(records, Map.of());
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(records, broker.clientProperties());
                Repeated produce = new Repeated("produce", 100, () -> append(writer, 400))) {
            await().atMost(DEADLINE).until(() -> gauges.flush("Syncs") > 1);
            produce.throwIfFailed();
        }
        assertThat(broker.said("sync -f failed")).isEmpty();
        records.verifyAll(broker.clientProperties());
    }

    private void append(RecordWriter writer, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            writer.send(i % records.partitions());
        }
        writer.flush();
    }

    private Broker boundsHold(BrokerConfig config) throws Exception {
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(records, broker.clientProperties())) {
            long endNanos = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (System.nanoTime() < endNanos) {
                append(writer, 1000);
                assertThat(gauges.flush("MaxPendingBytes")).isLessThanOrEqualTo(MAX_BYTES);
            }
            await().atMost(DEADLINE).until(() -> gauges.flush("PendingBytes") == 0);
            assertThat(gauges.flush("HighestPendingBytes")).isBetween(1L, MAX_BYTES);
            assertThat(gauges.flush("HighestPendingSpanMs")).isBetween(1L, MAX_MS);
            assertThat(gauges.flush("Flushes")).isPositive();
            assertThat(gauges.flush("BoundsExceeded")).isZero();
            System.out.printf(
                    "highest %d bytes, %d ms; %d flushes, %d escapes, %d waits%n",
                    gauges.flush("HighestPendingBytes"),
                    gauges.flush("HighestPendingSpanMs"),
                    gauges.flush("Flushes"),
                    gauges.flush("Escapes"),
                    gauges.flush("AppendWaits"));
        }
        records.verifyAll(broker.clientProperties());
        return broker;
    }

    /** Without a due partition nothing is flushed, and the checkpoint stays; after a flush it follows. */
    @Test
    void theRecoveryPointFollowsFlushesAndNothingElse() throws Exception {
        BrokerConfig config = BrokerConfig.under(dir.resolve("ours"), 1, 0)
                .patched()
                .with("log.flush.interval.messages", COUNT)
                .with("log.initial.task.delay.ms", 100)
                .with("log.flush.offset.checkpoint.interval.ms", 200)
                .with("flush.ratelimit.max.unflushed.ms", 3_600_000)
                .with("flush.ratelimit.max.unflushed.bytes", 1 << 30);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), APPENDS);
        Path checkpoint = config.logDirs().get(0).resolve("recovery-point-offset-checkpoint");
        await().atMost(DEADLINE)
                .until(() ->
                        Files.exists(checkpoint) && Files.readString(checkpoint).contains("paced 0 0"));
        try (Gauges gauges = new Gauges(broker)) {
            assertThat(gauges.flush("Flushes")).isZero();
            assertThat(gauges.flush("PendingBytes")).isPositive();
        }
        broker.kill();
        assertThat(Files.readAllLines(checkpoint)).contains("paced 0 0", "paced 3 0");

        Broker again = brokers.start(config.with("flush.ratelimit.max.unflushed.ms", MAX_MS));
        records.verifyAll(again.clientProperties());
        try (Gauges gauges = new Gauges(again)) {
            await("what was recovered is flushed, too").atMost(DEADLINE).until(() -> gauges.flush("PendingBytes") == 0);
            await().atMost(DEADLINE).until(() -> Files.readAllLines(checkpoint).contains("paced 0 " + APPENDS));
            assertThat(gauges.flush("Flushes")).isPositive();
        }
        again.kill();
        assertThat(Files.readAllLines(checkpoint)).contains("paced 0 " + APPENDS, "paced 3 " + APPENDS);
    }

    @Tag("long")
    @Test
    void logsThatAreDeletedOrMovedDoNoHarm() throws Exception {
        BrokerConfig config =
                bounded(BrokerConfig.under(dir.resolve("ours"), 2, 0)).patched().with("log.segment.delete.delay.ms", 0);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        for (int round = 0; round < 10; round++) {
            Records brief = new Records("brief-" + round, 2, 1000);
            topics.create(brief, Map.of("file.delete.delay.ms", "0"));
            brief.produce(broker.clientProperties(), 200);
            topics.delete(brief.topic());
        }
        topics.create(records, Map.of());
        records.produce(broker.clientProperties(), APPENDS);
        for (Path to : config.logDirs()) {
            topics.move(records.topic(), 0, to.toString());
            await().atMost(DEADLINE).until(() -> Files.exists(to.resolve("paced-0")));
            records.produce(broker.clientProperties(), 10);
        }
        try (Gauges gauges = new Gauges(broker)) {
            await().atMost(DEADLINE).until(() -> gauges.flush("PendingBytes") == 0);
            assertThat(gauges.offlineLogDirs()).isZero();
            assertThat(gauges.flush("FailedLogDirs")).isZero();
        }
        records.verifyAll(broker.clientProperties());
    }

    @Test
    void settingsChangeWhileItRunsAndWhatIsNotRightIsRefused() throws Exception {
        Broker broker = brokers.start(config("ours").patched());
        assertThat(alter(broker, "flush.ratelimit.device.bytes.per.second=1000000")
                        .exit())
                .isZero();
        String changed =
                "Settings of flushing by rate have changed: flush.ratelimit.device.bytes.per.second from -1 to 1000000";
        await().atMost(DEADLINE).until(() -> !broker.said(changed).isEmpty());
        refused(
                broker,
                "flush.ratelimit.device.byte.per.second=1",
                "did you mean flush.ratelimit.device.bytes.per.second?");
        refused(broker, "flush.ratelimit.segment.bytes.per.second=0", "segment.bytes.per.second=0: must be positive");
        refused(broker, "flush.ratelimit.max.unflushed.ms=5", "max.unflushed.ms=5: must be from 10");
        assertThat(Tool.brokerConfigs(dir, broker, "--describe", "--entity-name", "1")
                        .said())
                .contains("flush.ratelimit.device.bytes.per.second=1000000 sensitive=false");
        try (Gauges gauges = new Gauges(broker)) {
            new Topics(broker).create(records, Map.of());
            records.produce(broker.clientProperties(), 2_000);
            await().atMost(DEADLINE).until(() -> gauges.flush("PlannedBytesPerSec") > 0);
            assertThat(gauges.flush("PlannedBytesPerSec")).isLessThanOrEqualTo(1_000_000);
        }
    }

    @Tag("long")
    @Test
    void anOperatorInTroubleSwitchesItOffAndOnAgain() throws Exception {
        Broker broker = brokers.start(config("ours").patched());
        new Topics(broker).create(records, Map.of());
        try (Gauges gauges = new Gauges(broker)) {
            records.produce(broker.clientProperties(), 2_000);
            await().atMost(DEADLINE).until(() -> gauges.flush("Flushes") > 0);
            assertThat(alter(broker, "flush.ratelimit.enable=false").exit()).isZero();
            String off = "Flushing by rate is off: flush.ratelimit.enable=false is set";
            await().atMost(DEADLINE).until(() -> !broker.said(off).isEmpty());
            await().atMost(DEADLINE).until(() -> gauges.flush("PendingBytes") == 0);
            records.produce(broker.clientProperties(), 2_000);
            assertThat(gauges.flush("PendingBytes")).isZero();
            long flushes = gauges.flush("Flushes");
            long segmentFlushes = gauges.segmentFlushes();
            records.produce(broker.clientProperties(), 2L * COUNT);
            assertThat(gauges.flush("Flushes")).isEqualTo(flushes);
            assertThat(gauges.segmentFlushes()).as("by count again").isGreaterThan(segmentFlushes);
            assertThat(alter(broker, "flush.ratelimit.enable=true").exit()).isZero();
            await("what came in meanwhile is flushed")
                    .atMost(DEADLINE)
                    .until(() -> gauges.flush("Flushes") > flushes && gauges.flush("PendingBytes") == 0);
        }
        records.verifyAll(broker.clientProperties());
    }

    /** In the shadow Kafka flushes by count as ever, and the gauges show the plan. Then the plan comes true. */
    @Test
    @Tag("long")
    void theShadowFlushesNothingUntilItIsLeft() throws Exception {
        Broker broker = brokers.start(config("ours")
                .with("flush.ratelimit.shadow.enable", true)
                .with("flush.ratelimit.max.unflushed.ms", 3_600_000)
                .patched());
        assertThat(broker.said("Flushing by rate is in the shadow")).hasSize(1);
        long byCount = segmentFlushes(broker, Map.of());
        assertThat(byCount)
                .as("as stock")
                .isGreaterThanOrEqualTo(records.partitions() * APPENDS * RECORDS_PER_APPEND / COUNT);
        try (Gauges gauges = new Gauges(broker)) {
            await().atMost(DEADLINE).until(() -> gauges.flush("Flushes") >= records.partitions());
            assertThat(gauges.flush("Shadow")).isEqualTo(1);
            assertThat(gauges.flush("Flushes")).isLessThan(byCount);
            assertThat(gauges.flush("HighestPendingBytes"))
                    .as("Kafka's flushes after a megabyte each are not in the plan")
                    .isGreaterThan(MAX_BYTES / 3);
            assertThat(gauges.flush("AppendWaits") + gauges.flush("Syncs")).isZero();
            records.produce(broker.clientProperties(), 10);
            long before = gauges.segmentFlushes();
            String leave = "flush.ratelimit.shadow.enable=false,flush.ratelimit.max.unflushed.ms=1000";
            assertThat(alter(broker, leave).exit()).isZero();
            await("what was only planned").atMost(DEADLINE).until(() -> gauges.segmentFlushes() > before);
            await().atMost(DEADLINE).until(() -> gauges.flush("Shadow") == 0);
        }
    }

    @Test
    void aTypoStopsTheBroker() throws Exception {
        Broker broker = brokers.create(config("ours").patched().with("flush.ratelimit.max.unflushed.byte", 1));
        assertThatThrownBy(broker::start).isInstanceOf(RuntimeException.class);
        assertThat(broker.said("did you mean flush.ratelimit.max.unflushed.bytes?"))
                .isNotEmpty();
    }

    @Tag("long")
    @Test
    void withoutACountItIsOff() throws Exception {
        Broker broker =
                brokers.start(BrokerConfig.under(dir.resolve("off"), 1, 0).patched());
        assertThat(broker.said("Flushing by rate is off: log.flush.interval.messages is not set"))
                .hasSize(1);
        long flushes = segmentFlushes(broker, Map.of("flush.messages", "" + COUNT));
        assertThat(flushes)
                .as("as stock")
                .isGreaterThanOrEqualTo(records.partitions() * APPENDS * RECORDS_PER_APPEND / COUNT);
    }

    private BrokerConfig config(String name) {
        return bounded(BrokerConfig.under(dir.resolve(name), 1, 0));
    }

    private static BrokerConfig bounded(BrokerConfig config) {
        return config.with("log.flush.interval.messages", COUNT)
                .with("flush.ratelimit.max.unflushed.bytes", MAX_BYTES)
                .with("flush.ratelimit.max.unflushed.ms", MAX_MS)
                .with("flush.ratelimit.max.append.wait.ms", LONGEST_WAIT_MS);
    }

    /** Segment flushes during {@link #APPENDS} appends of {@link #RECORDS_PER_APPEND} records to each partition. */
    private long segmentFlushes(Broker broker, Map<String, String> topicConfig) throws IOException {
        new Topics(broker).create(records, topicConfig);
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(records, broker.clientProperties())) {
            long before = gauges.segmentFlushes();
            for (int i = 0; i < APPENDS; i++) {
                for (int partition = 0; partition < records.partitions(); partition++) {
                    for (int record = 0; record < RECORDS_PER_APPEND; record++) {
                        writer.send(partition);
                    }
                }
                writer.flush();
            }
            return gauges.segmentFlushes() - before;
        }
    }

    private Tool.Outcome alter(Broker to, String config) throws IOException, InterruptedException {
        return Tool.brokerConfigs(dir, to, "--alter", "--entity-name", "1", "--add-config", config);
    }

    private void refused(Broker to, String config, String message) throws IOException, InterruptedException {
        Tool.Outcome outcome = alter(to, config);
        assertThat(outcome.said()).contains(message);
        assertThat(outcome.exit()).as(outcome.said()).isNotZero();
    }
}
