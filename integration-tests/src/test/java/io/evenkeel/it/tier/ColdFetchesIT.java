/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Request handlers that wait for a slow HDD, while more consumers want something of it than there are handlers. */
@Timeout(300)
class ColdFetchesIT {
    private static final int HANDLERS = 4;
    private static final int CONSUMERS = 3 * HANDLERS;
    private static final int RECORDS = 2_000;
    /** A read takes longer than a thread dump then. */
    private static final long SLOW_BYTES_PER_SECOND = 512 << 10;
    /** The broker forgets within 20 s which consumers have looked on the HDD. */
    private static final Duration PAUSE = Duration.ofSeconds(25);

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records cold = new Records("cold", CONSUMERS, 4_000);
    private final Records live = new Records("live", 1, 100);

    /** Nor do those take them all who have just connected. */
    @Test
    void halfOfTheHandlersAreFreeWhenConsumersComeBackFromAPause() throws Exception {
        LoopDisk hdd = disks.xfs(dir, "slow", 2L << 30);
        Broker broker = filled(hdd);
        hdd.slowDown(SLOW_BYTES_PER_SECOND);
        List<KafkaConsumer<byte[], byte[]>> consumers = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> upToDate = consumer(broker, live, 0);
                Repeated poll = new Repeated("poll", 1, () -> upToDate.poll(Duration.ofMillis(100)))) {
            for (int i = 0; i < CONSUMERS; i++) {
                consumers.add(consumer(broker, cold, i));
            }
            assertThat(mostThatWait(broker, consumers, 0)).isBetween(1L, HANDLERS / 2L);
            await().pollDelay(PAUSE).atMost(PAUSE.multipliedBy(2)).until(() -> true);
            assertThat(mostThatWait(broker, consumers, RECORDS / 2)).isBetween(1L, HANDLERS / 2L);
            poll.throwIfFailed();
        } finally {
            hdd.slowDown(0);
            consumers.forEach(KafkaConsumer::close);
        }
        assertThat(broker.said("ERROR")).isEmpty();
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Broker broker, Records records, int partition) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        Properties client = broker.clientProperties();
        client.put("max.partition.fetch.bytes", 10_000);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client, bytes, bytes);
        consumer.assign(List.of(new TopicPartition(records.topic(), partition)));
        return consumer;
    }

    /** How many request handlers wait for the HDD at a time, at most, until each consumer has records from there on. */
    private static long mostThatWait(Broker broker, List<KafkaConsumer<byte[], byte[]>> consumers, long from)
            throws Exception {
        List<CompletableFuture<?>> readers = new ArrayList<>();
        for (KafkaConsumer<byte[], byte[]> consumer : consumers) {
            readers.add(CompletableFuture.runAsync(() -> read(consumer, from), reader -> new Thread(reader).start()));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new));
        long most = 0;
        while (!all.isDone()) {
            most = Math.max(most, waiting(ThreadDump.of(broker)));
        }
        all.get(1, TimeUnit.SECONDS);
        return most;
    }

    private static void read(KafkaConsumer<byte[], byte[]> consumer, long from) {
        consumer.assignment().forEach(partition -> consumer.seek(partition, from));
        while (consumer.poll(Duration.ofSeconds(1)).isEmpty()) {
            // the HDD is slow
        }
    }

    private static long waiting(String dump) {
        return Stream.of(dump.split("\n\n"))
                .filter(thread -> thread.contains("request-handler") && thread.contains("ColdReader.await"))
                .count();
    }

    /** With a topic on the HDD that is not in the page cache. */
    private Broker filled(LoopDisk hdd) throws IOException {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 0, 1)
                .withLogDirs(hdd.path().resolve("kafka"))
                .patched()
                .with("num.io.threads", HANDLERS)
                .with("tiered.ssd.excluded.topics", cold.topic())
                .with("tiered.ssd.capacity.bytes", 256 << 20);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(cold, Map.of("segment.bytes", "" + (1 << 20)));
        topics.create(live, Map.of());
        cold.produce(broker.clientProperties(), RECORDS);
        hdd.sync();
        PageCache.drop(SegmentFiles.of(config).of(cold.topic()).sealed());
        return broker;
    }
}
