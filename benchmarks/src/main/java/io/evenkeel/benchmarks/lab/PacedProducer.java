/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.nio.ByteBuffer;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records at a given rate whatever the broker does, and measures from the instant at which each was due: a stall
 * counts for all that should have been sent meanwhile. One thread runs it.
 */
public final class PacedProducer implements AutoCloseable {
    /** Short beside what is measured, and long beside what waking up costs. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Whatever a stall of many seconds leaves behind. */
    private static final int BUFFER_BYTES = 384 << 20;

    private final KafkaProducer<byte[], byte[]> producer;
    private final Backlog topic;
    private final int[] partitions;
    private final Latencies latencies = new Latencies();
    private final LongAdder failed = new LongAdder();
    /** By partition. */
    private final AtomicLongArray acknowledgedNanos;

    public PacedProducer(Properties client, Backlog topic) {
        this(client, topic, IntStream.range(0, topic.partitions()).toArray());
    }

    /** Sends to some of the topic's partitions, in turn. */
    public PacedProducer(Properties client, Backlog topic, int[] partitions) {
        this(client, topic, partitions, BUFFER_BYTES);
    }

    /** One that waits when so much of what it has sent is not acknowledged; what was due meanwhile is sent late. */
    public PacedProducer(Properties client, Backlog topic, int[] partitions, int bufferBytes) {
        this.topic = topic;
        this.partitions = partitions.clone();
        this.acknowledgedNanos = new AtomicLongArray(topic.partitions());
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        properties.put("buffer.memory", String.valueOf(bufferBytes));
        ByteArraySerializer bytes = new ByteArraySerializer();
        this.producer = new KafkaProducer<>(properties, bytes, bytes);
        producer.partitionsFor(topic.name());
    }

    /** Sends until the window ends, then waits until all is answered. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    public void run(Window window, Rate rate) {
        long secondOfBytes = TimeUnit.SECONDS.toNanos(1) * topic.valueBytes();
        ByteBuffer value = ByteBuffer.wrap(topic.value());
        long dueNanos = window.startNanos();
        for (int i = 0; dueNanos - window.toNanos() < 0; i = (i + 1) % partitions.length) {
            while (System.nanoTime() - dueNanos < 0) {
                LockSupport.parkNanos(TICK_NANOS);
            }
            long due = dueNanos;
            value.putLong(0, due);
            producer.send(new ProducerRecord<>(topic.name(), partitions[i], null, value.array()), (metadata, error) -> {
                long nowNanos = System.nanoTime();
                if (error == null) {
                    acknowledgedNanos.set(metadata.partition(), nowNanos);
                } else {
                    failed.increment();
                }
                if (window.counts(due)) {
                    latencies.record(nowNanos - due);
                }
            });
            dueNanos += secondOfBytes / rate.bytesPerSecond(due - window.startNanos());
        }
        producer.flush();
    }

    /** From due to acknowledged. */
    public Latencies latencies() {
        return latencies;
    }

    /** When the last record of a partition was acknowledged; 0 before the first. */
    public long acknowledgedNanos(int partition) {
        return acknowledgedNanos.get(partition);
    }

    public long failed() {
        return failed.sum();
    }

    @Override
    public void close() {
        producer.close();
    }
}
