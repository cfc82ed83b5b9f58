/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import io.evenkeel.testkit.Broker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer that fills all partitions of a topic at one rate, and for each partition a consumer that keeps a lag of
 * its own. Used by one thread.
 */
final class SteadyTraffic implements AutoCloseable {
    private static final int RECORD_BYTES = 1_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Properties client;
    private final String topic;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean ended;

    SteadyTraffic(Broker broker, String topic) {
        this.client = broker.clientProperties();
        this.topic = topic;
    }

    void produce(int partitions, long bytesPerSecond) {
        running.add(threads.submit(() -> write(partitions, bytesPerSecond)));
    }

    void consume(int partition, long lagSeconds) {
        running.add(threads.submit(() -> read(partition, TimeUnit.SECONDS.toMillis(lagSeconds))));
    }

    /** Throws when a client has failed. */
    void goesOn(long seconds) throws ExecutionException, InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try {
            running.get(0).get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException stillRuns) {
            for (Future<?> client : running) {
                if (client.isDone()) {
                    client.get();
                }
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a record that is not sent shows in the figures
    private void write(int partitions, long bytesPerSecond) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        byte[] value = new byte[RECORD_BYTES];
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(client, bytes, bytes)) {
            long begin = System.nanoTime();
            long sent = 0;
            while (!ended) {
                double seconds = (System.nanoTime() - begin) / 1e9;
                for (; sent * RECORD_BYTES < seconds * bytesPerSecond; sent++) {
                    producer.send(new ProducerRecord<>(topic, (int) (sent % partitions), null, value));
                }
                LockSupport.parkNanos(TICK_NANOS);
            }
        }
    }

    private void read(int partition, long lagMs) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("max.partition.fetch.bytes", "131072");
        properties.put("auto.offset.reset", "earliest");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            TopicPartition only = new TopicPartition(topic, partition);
            consumer.assign(List.of(only));
            consumer.seek(only, 0);
            parkUntil(System.currentTimeMillis() + lagMs);
            while (!ended) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    parkUntil(record.timestamp() + lagMs);
                }
            }
        }
    }

    private void parkUntil(long epochMs) {
        for (long leftMs; (leftMs = epochMs - System.currentTimeMillis()) > 0 && !ended; ) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(leftMs, 1_000)));
        }
    }

    @Override
    public void close() {
        ended = true;
        threads.shutdown();
    }
}
