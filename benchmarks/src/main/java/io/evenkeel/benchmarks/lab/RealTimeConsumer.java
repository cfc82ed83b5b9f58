/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what is produced from now on, all partitions, as fast as it comes. One thread runs it, any may end it. */
final class RealTimeConsumer implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], Long> consumer;
    private final Latencies latencies = new Latencies();
    private volatile long expected = Long.MAX_VALUE;

    RealTimeConsumer(Properties client, Backlog topic) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("receive.buffer.bytes", Variant.AS_LARGE_AS_NEEDED);
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new DueTime());
        consumer.assign(topic.topicPartitions());
        consumer.seekToEnd(topic.topicPartitions());
        topic.topicPartitions().forEach(consumer::position);
    }

    /** Reads until as many records of the window as are {@link #expect}ed have come. */
    void run(Window window) {
        while (latencies.count() < expected) {
            for (ConsumerRecord<byte[], Long> record : consumer.poll(POLL)) {
                if (window.counts(record.value())) {
                    latencies.record(System.nanoTime() - record.value());
                }
            }
        }
    }

    void expect(long records) {
        expected = records;
    }

    /** From due to received. */
    Latencies latencies() {
        return latencies;
    }

    /** To be called by the thread that runs it, or after that one has ended. */
    @Override
    public void close() {
        consumer.close();
    }
}
