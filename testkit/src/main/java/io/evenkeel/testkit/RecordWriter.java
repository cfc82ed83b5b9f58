/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Appends to each partition the records that belong at its end, all replicas acknowledging, idempotently. It must be
 * the partitions' only writer. One thread sends; the acknowledgements may be read by any.
 *
 * <p>A record that is acknowledged at another offset than expected is a failure: something was lost or doubled.
 */
public final class RecordWriter implements AutoCloseable {
    private final Records records;
    private final KafkaProducer<byte[], byte[]> producer;
    private final long[] nextOffset;
    private final AtomicLongArray acknowledgedEnd;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Continues at the ends that the partitions have now. */
    public RecordWriter(Records records, Properties client) {
        this.records = records;
        this.nextOffset = records.ends(client);
        this.acknowledgedEnd = new AtomicLongArray(nextOffset);
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("acks", "all");
        properties.put("enable.idempotence", "true");
        properties.put("linger.ms", "1");
        ByteArraySerializer bytes = new ByteArraySerializer();
        this.producer = new KafkaProducer<>(properties, bytes, bytes);
    }

    /** Hands the next record of that partition to the producer; throws when an earlier one failed. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    public void send(int partition) {
        throwIfFailed();
        long offset = nextOffset[partition]++;
        producer.send(records.at(partition, offset), (metadata, error) -> onAnswer(partition, offset, metadata, error));
    }

    /** Waits until the broker has acknowledged every record sent. */
    public void flush() {
        producer.flush();
        throwIfFailed();
    }

    /** The offset after the last acknowledged record of that partition. */
    public long acknowledgedEnd(int partition) {
        return acknowledgedEnd.get(partition);
    }

    /** As {@link #acknowledgedEnd(int)}, for all partitions. */
    public long[] acknowledgedEnds() {
        return IntStream.range(0, acknowledgedEnd.length())
                .mapToLong(acknowledgedEnd::get)
                .toArray();
    }

    /** Abandons the records that are not acknowledged yet. */
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }

    private void onAnswer(int partition, long offset, RecordMetadata metadata, @Nullable Exception error) {
        if (error != null) {
            failure.compareAndSet(null, error);
        } else if (metadata.offset() != offset) {
            failure.compareAndSet(
                    null,
                    new AssertionError("%s-%d: the record for offset %d was put at %d"
                            .formatted(records.topic(), partition, offset, metadata.offset())));
        } else {
            acknowledgedEnd.set(partition, offset + 1);
        }
    }

    private void throwIfFailed() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("writing " + records.topic() + " failed", cause);
        }
    }
}
