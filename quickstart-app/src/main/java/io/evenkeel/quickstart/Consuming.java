/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads all partitions from their beginning, and checks that offsets have no gap and records are unchanged. One thread
 * of its own.
 */
final class Consuming extends Thread {
    private static final int LONGEST_LATENCY_MS = 600_000;

    private final Properties client;
    private final String topic;
    private final int partitions;
    private final long bytesPerSecond;
    private final long[] next;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong records = new AtomicLong();
    private final Recorder latenciesMs = new Recorder(LONGEST_LATENCY_MS, 3);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    /** @param bytesPerSecond the highest rate at which it reads */
    Consuming(String name, Properties client, String topic, int partitions, long bytesPerSecond) {
        super(name);
        setDaemon(true);
        this.client = client;
        this.topic = topic;
        this.partitions = partitions;
        this.bytesPerSecond = bytesPerSecond;
        this.next = new long[partitions];
    }

    @Override
    public void run() {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("max.poll.records", "2000");
        properties.put("enable.auto.commit", "false");
        ByteArrayDeserializer deserializer = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, deserializer, deserializer)) {
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            consume(consumer);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void consume(KafkaConsumer<byte[], byte[]> consumer) {
        long startNanos = System.nanoTime();
        while (!ended) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                check(record);
                bytes.addAndGet(record.serializedValueSize());
                records.incrementAndGet();
                long latencyMs = Math.max(0, System.currentTimeMillis() - record.timestamp());
                latenciesMs.recordValue(Math.min(LONGEST_LATENCY_MS, latencyMs));
            }
            long dueNanos = (long) (bytes.get() * 1e9 / bytesPerSecond);
            LockSupport.parkNanos(dueNanos - (System.nanoTime() - startNanos));
        }
    }

    private void check(ConsumerRecord<byte[], byte[]> record) {
        long expected = next[record.partition()]++;
        if (record.offset() != expected) {
            throw new IllegalStateException("%s: partition %d has offset %d where %d was due"
                    .formatted(getName(), record.partition(), record.offset(), expected));
        }
        if (!Events.isUnchanged(record)) {
            throw new IllegalStateException(
                    "%s: partition %d, offset %d was changed".formatted(getName(), record.partition(), expected));
        }
    }

    /** Waits until the given number of records is read, reading fails or the deadline passes; then ends the thread. */
    void endAfter(long wantedRecords, Duration deadline) throws InterruptedException {
        long endNanos = System.nanoTime() + deadline.toNanos();
        while (records.get() < wantedRecords && failure.get() == null && System.nanoTime() < endNanos) {
            join(20);
        }
        ended = true;
        join();
    }

    long bytes() {
        return bytes.get();
    }

    long records() {
        return records.get();
    }

    /** From the producer's clock to this consumer, since this was asked last. */
    Histogram latenciesMs() {
        return latenciesMs.getIntervalHistogram();
    }

    @Nullable
    Throwable failure() {
        return failure.get();
    }
}
