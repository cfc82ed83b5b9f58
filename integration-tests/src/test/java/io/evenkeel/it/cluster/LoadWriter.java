/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes numbered records to each partition, all replicas acknowledging, idempotently, and never gives one up. One
 * thread writes; the questions may be asked by any.
 */
final class LoadWriter implements AutoCloseable {
    private static final int BATCH = 5;

    private final String topic;
    private final int partitions;
    private final int id;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private long sentToEach;

    LoadWriter(Properties client, String topic, int partitions, int id) {
        this.topic = topic;
        this.partitions = partitions;
        this.id = id;
        this.producer = producer(client, new Properties());
    }

    /** Patient enough for every event. */
    static KafkaProducer<byte[], byte[]> producer(Properties client, Properties more) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        properties.put("enable.idempotence", "true");
        properties.put("linger.ms", "5");
        properties.put("buffer.memory", "" + (4 << 20));
        properties.put("max.block.ms", "180000");
        properties.put("delivery.timeout.ms", "180000");
        properties.putAll(more);
        ByteArraySerializer bytes = new ByteArraySerializer();
        return new KafkaProducer<>(properties, bytes, bytes);
    }

    /** Sends some more to each partition. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    void writeSome() {
        for (int i = 0; i < BATCH; i++) {
            Tagged tag = new Tagged(id, 0, sentToEach++);
            for (int partition = 0; partition < partitions; partition++) {
                producer.send(tag.record(topic, partition), (metadata, error) -> answered(error));
            }
        }
        throwIfFailed();
    }

    private void answered(@Nullable Exception error) {
        if (error == null) {
            acknowledged.incrementAndGet();
        } else {
            failure.compareAndSet(null, error);
        }
    }

    private void throwIfFailed() {
        Exception cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("writer " + id + " of " + topic + " failed", cause);
        }
    }

    /** Waits, after the last write, until all is acknowledged; answers how much was sent to each partition. */
    long flush() {
        producer.flush();
        throwIfFailed();
        return sentToEach;
    }

    /** In all partitions together. */
    long acknowledged() {
        return acknowledged.get();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
