/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Produces events at a steady rate, acknowledged by the broker, until it is ended. One thread of its own. */
final class Producing extends Thread {
    private final Properties client;
    private final String topic;
    private final int partitions;
    private final long bytesPerSecond;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    Producing(Properties client, String topic, int partitions, long bytesPerSecond) {
        super("producing");
        setDaemon(true);
        this.client = client;
        this.topic = topic;
        this.partitions = partitions;
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public void run() {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        properties.put("linger.ms", "2");
        ByteArraySerializer serializer = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, serializer, serializer)) {
            produce(producer);
            producer.flush();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    private void produce(KafkaProducer<byte[], byte[]> producer) {
        long startNanos = System.nanoTime();
        for (long sequence = 0; !ended && failure.get() == null; sequence++) {
            int partition = (int) (sequence % partitions);
            long offset = sequence / partitions;
            byte[] value = Events.value(partition, offset);
            producer.send(
                    new ProducerRecord<>(topic, partition, Events.key(offset), value),
                    (metadata, error) -> onAnswer(offset, metadata, error));
            long dueNanos = (long) (bytes.addAndGet(value.length) * 1e9 / bytesPerSecond);
            LockSupport.parkNanos(dueNanos - (System.nanoTime() - startNanos));
        }
    }

    private void onAnswer(long offset, RecordMetadata metadata, @Nullable Exception error) {
        if (error != null) {
            failure.compareAndSet(null, error);
        } else if (metadata.offset() != offset) {
            failure.compareAndSet(
                    null, new IllegalStateException("record " + offset + " was put at offset " + metadata.offset()));
        } else {
            acknowledged.incrementAndGet();
        }
    }

    /** Stops sending and waits until all that was sent is acknowledged. */
    void end() throws InterruptedException {
        ended = true;
        join();
    }

    long bytes() {
        return bytes.get();
    }

    long acknowledged() {
        return acknowledged.get();
    }

    @Nullable
    Throwable failure() {
        return failure.get();
    }
}
