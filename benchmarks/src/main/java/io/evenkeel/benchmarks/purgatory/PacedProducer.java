/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.nio.ByteBuffer;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records at a steady rate to one partition after the other, each alone and with the time at which it was due as
 * its value.
 */
final class PacedProducer implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final long intervalNanos;
    private final Latencies acknowledged = new Latencies();
    private final LongAdder failed = new LongAdder();
    private final Thread thread = new Thread(this::run, "paced-producer");
    private volatile boolean closed;

    PacedProducer(Properties client, String topic, int partitions, int recordsPerSecond) {
        this.topic = topic;
        this.partitions = partitions;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / recordsPerSecond;
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        properties.put("linger.ms", "0");
        ByteArraySerializer bytes = new ByteArraySerializer();
        this.producer = new KafkaProducer<>(properties, bytes, bytes);
        producer.partitionsFor(topic);
    }

    void start() {
        thread.start();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    private void run() {
        long due = System.nanoTime();
        for (int partition = 0; !closed; partition = (partition + 1) % partitions) {
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            long sentNanos = due;
            byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(sentNanos).array();
            producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, error) -> {
                if (error != null) {
                    failed.increment();
                }
                acknowledged.record(System.nanoTime() - sentNanos);
            });
            due += intervalNanos;
        }
    }

    /** From due to acknowledged by all replicas. */
    Latencies acknowledged() {
        return acknowledged;
    }

    /**
     * Waits until all is answered.
     *
     * @throws IllegalStateException when a record was not acknowledged
     */
    @Override
    public void close() {
        closed = true;
        awaitEnd();
        producer.close();
        if (failed.sum() > 0) {
            throw new IllegalStateException(failed.sum() + " records were not acknowledged");
        }
    }

    private void awaitEnd() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the producer ended", e);
        }
    }
}
