/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends records at a given rate, however slowly the broker answers, and measures each from the instant at which it was
 * due. A stall therefore counts for all records that should have been sent meanwhile. The value of a record begins with
 * the instant at which it was due. The producer has a thread of its own; one other thread drives it.
 */
public final class PacedProducer implements AutoCloseable {
    /** Short compared to the measured latencies, and long compared to the cost of waking up. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Holds all records that pile up in a stall of many seconds. */
    private static final int BUFFER_BYTES = 384 << 20;

    private final KafkaProducer<byte[], byte[]> producer;
    private final Backlog topic;
    private final int[] partitions;
    private final Latencies latencies = new Latencies();
    private final List<Part> parts = new ArrayList<>();
    private final LongAdder failed = new LongAdder();
    /** By partition. */
    private final AtomicLongArray acknowledgedNanos;

    private @Nullable Thread thread; // the driver's
    private volatile boolean stopped;

    /** A part of the load, and the latencies of the records that were due in it. */
    private record Part(Window window, Latencies latencies) {
        void record(long dueNanos, long nowNanos) {
            if (window.counts(dueNanos)) {
                latencies.record(nowNanos - dueNanos);
            }
        }
    }

    /** Sends to all partitions of the topic in turn. */
    public PacedProducer(Properties client, Backlog topic) {
        this(client, topic, IntStream.range(0, topic.partitions()).toArray());
    }

    /** Sends to some of the topic's partitions in turn. */
    public PacedProducer(Properties client, Backlog topic, int[] partitions) {
        this(client, topic, partitions, BUFFER_BYTES);
    }

    /**
     * A producer that waits while {@code bufferBytes} of its records are not acknowledged. It then sends the records
     * late that were due meanwhile.
     */
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

    /** The latencies of a part of the load; asked for before the start, by the driver. */
    public Latencies measure(Window part) {
        Latencies ofPart = new Latencies();
        parts.add(new Part(part, ofPart));
        return ofPart;
    }

    /** Begins to send; ends when the window ends, or when the producer is closed. */
    public void start(Window window, Rate rate) {
        parts.add(new Part(window, latencies));
        List<Part> measured = List.copyOf(parts);
        thread = Threads.start("producer", () -> run(window, rate, measured));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    private void run(Window window, Rate rate, List<Part> measured) {
        long secondOfBytes = TimeUnit.SECONDS.toNanos(1) * topic.valueBytes();
        ByteBuffer value = ByteBuffer.wrap(topic.value());
        long dueNanos = window.startNanos();
        for (int i = 0; !stopped && dueNanos - window.toNanos() < 0; i = (i + 1) % partitions.length) {
            for (long leftNanos; (leftNanos = dueNanos - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(Math.max(TICK_NANOS, leftNanos));
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
                measured.forEach(part -> part.record(due, nowNanos));
            });
            dueNanos += secondOfBytes / rate.bytesPerSecond(due - window.startNanos());
        }
        producer.flush();
    }

    /** Waits until the window has ended and all records are answered. */
    public void awaitEnd() {
        Thread sending = thread;
        if (sending != null) {
            Threads.join(sending);
        }
    }

    /** From due to acknowledged. */
    public Latencies latencies() {
        return latencies;
    }

    /** When the last record of a partition was acknowledged; 0 before the first. */
    public long acknowledgedNanos(int partition) {
        return acknowledgedNanos.get(partition);
    }

    /** Records that were not acknowledged. */
    public long failed() {
        return failed.sum();
    }

    /** Sends no more records, and waits until those that were sent are answered. */
    @Override
    public void close() {
        stopped = true;
        awaitEnd();
        producer.close();
    }
}
