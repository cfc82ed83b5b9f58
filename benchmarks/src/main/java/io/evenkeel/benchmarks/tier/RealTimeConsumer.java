/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.DueTime;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Window;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads new records of all partitions as soon as they come. One thread runs it; any thread may end it. */
final class RealTimeConsumer implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], Long> consumer;
    private final Backlog topic;
    private final Latencies latencies = new Latencies();
    private final LongAdder oldBytes = new LongAdder();
    private volatile long expected = Long.MAX_VALUE;
    private volatile @Nullable LagPartitions wanted;

    RealTimeConsumer(Properties client, Backlog topic) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("receive.buffer.bytes", LabBroker.AS_LARGE_AS_NEEDED);
        this.topic = topic;
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new DueTime());
        consumer.assign(topic.topicPartitions());
        consumer.seekToEnd(topic.topicPartitions());
        topic.topicPartitions().forEach(consumer::position);
    }

    /** Reads until the {@link #expect}ed number of records of the window has come. */
    void run(Window window) {
        LagPartitions old = null;
        while (latencies.count() < expected) {
            if (old == null && wanted != null) {
                old = wanted;
                consumer.assign(old.and(topic.topicPartitions()));
                old.begin(consumer);
            }
            if (old != null) {
                old.goOn(consumer);
            }
            read(window);
        }
    }

    private void read(Window window) {
        for (ConsumerRecord<byte[], Long> record : consumer.poll(POLL)) {
            if (!record.topic().equals(topic.name())) {
                oldBytes.add(record.serializedValueSize());
            } else if (window.counts(record.value())) {
                latencies.record(System.nanoTime() - record.value());
            }
        }
    }

    /** From now on it reads old records of other topics as well, in the same fetches. */
    void readAlso(LagPartitions old) {
        wanted = old;
    }

    /** The bytes of those. */
    long oldBytes() {
        return oldBytes.sum();
    }

    void expect(long records) {
        expected = records;
    }

    /** From due to received. */
    Latencies latencies() {
        return latencies;
    }

    /** To be called by the thread that runs the consumer, or after that thread has ended. */
    @Override
    public void close() {
        consumer.close();
    }
}
