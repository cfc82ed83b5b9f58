/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/** Verifies, when the disk is steady again, what is left of a load. One thread drives it. */
final class AfterStutter {
    private static final long SECONDS = 60;
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Properties client;

    AfterStutter(Properties client) {
        this.client = client;
    }

    /** Waits until no transaction is in the middle of its commit or abort. */
    void awaitNoStuckTransaction() {
        Awaitility.await("no transaction is stuck")
                .atMost(Duration.ofSeconds(SECONDS))
                .untilAsserted(() -> {
                    try (Admin admin = Admin.create(client)) {
                        assertThat(admin.listTransactions().all().get(SECONDS, TimeUnit.SECONDS))
                                .extracting(TransactionListing::state)
                                .doesNotContain(TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT);
                    }
                });
    }

    /** Asserts that all that was acknowledged is there, in order, and nothing that was aborted. */
    void verify(SentRecords sent, int partitions) {
        SentRecords.Found found = read(sent.topic(), partitions);
        for (int partition = 0; partition < partitions; partition++) {
            List<Long> sequences = found.of(new TopicPartition(sent.topic(), partition));
            assertThat(SentRecords.isOutOfOrder(sequences))
                    .as("out of order, %s-%d", sent.topic(), partition)
                    .isFalse();
            assertThat(sent.verify(partition, sequences))
                    .as("acknowledged, and not there, %s-%d", sent.topic(), partition)
                    .isZero();
        }
    }

    /**
     * The same for a producer that is not idempotent, of which Kafka promises less: what is out of order, and for one
     * without acknowledgements what is lost, counts as an error of the client, which stock has to show as well.
     */
    void verifyPlain(String client, boolean acknowledged, SentRecords sent, int partitions, ClientErrors errors) {
        SentRecords.Found found = read(sent.topic(), partitions);
        for (int partition = 0; partition < partitions; partition++) {
            List<Long> sequences = found.of(new TopicPartition(sent.topic(), partition));
            if (SentRecords.isOutOfOrder(sequences)) {
                errors.add(client, "out of order", 1);
            }
            long missing = sent.verify(partition, sequences);
            if (missing > 0) {
                assertThat(acknowledged)
                        .as("%d acknowledged, and not there, %s-%d", missing, sent.topic(), partition)
                        .isFalse();
                errors.add(client, "lost records", missing);
            }
        }
    }

    private SentRecords.Found read(String topic, int partitions) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("isolation.level", "read_committed");
        SentRecords.Found found = new SentRecords.Found();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            long lastProgress = System.nanoTime();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                var records = consumer.poll(POLL);
                records.forEach(one -> found.add(new TopicPartition(one.topic(), one.partition()), one.value()));
                if (!records.isEmpty()) {
                    lastProgress = System.nanoTime();
                }
                assertThat(System.nanoTime() - lastProgress)
                        .as("no progress in " + topic)
                        .isLessThan(TimeUnit.SECONDS.toNanos(SECONDS));
            }
        }
        return found;
    }

    /** The committed offset of a group is there, and not below {@code offset}. */
    void verifyCommitted(String group, TopicPartition partition, long offset) {
        try (Admin admin = Admin.create(client)) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(SECONDS, TimeUnit.SECONDS);
            OffsetAndMetadata found = committed.get(partition);
            assertThat(found == null ? -1 : found.offset())
                    .as(group + " in " + partition)
                    .isGreaterThanOrEqualTo(offset);
        } catch (Exception e) {
            throw new IllegalStateException("no committed offsets of " + group, e);
        }
    }
}
