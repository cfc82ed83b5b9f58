/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends records one by one to all partitions of a topic and counts its errors. One thread drives it. */
final class StutterProducer implements AutoCloseable {
    private static final String CLOSED_CONNECTIONS = "connection-close-total";

    /** The guarantees that the producer asks for. */
    enum Kind {
        /** Without retries, so that the application gets each error. */
        PLAIN("false", "all", "0"),
        IDEMPOTENT("true", "all", "2147483647"),
        NO_ACKS("false", "0", "2147483647");

        private final String idempotence;
        private final String acks;
        private final String retries;

        Kind(String idempotence, String acks, String retries) {
            this.idempotence = idempotence;
            this.acks = acks;
            this.retries = retries;
        }

        private Map<String, String> config() {
            return Map.of("enable.idempotence", idempotence, "acks", acks, "retries", retries);
        }
    }

    private final Kind kind;
    private final int partitions;
    private final ClientErrors errors;
    private final SentRecords sent;
    private final KafkaProducer<byte[], byte[]> producer;
    private long sequence;

    StutterProducer(Kind kind, Properties client, String topic, int partitions, ClientErrors errors) {
        this.kind = kind;
        this.partitions = partitions;
        this.errors = errors;
        this.sent = new SentRecords(topic);
        Properties properties = new Properties();
        properties.putAll(client);
        properties.putAll(kind.config());
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    Kind kind() {
        return kind;
    }

    SentRecords sent() {
        return sent;
    }

    /** Sends one record to each partition. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same
    void send() {
        long next = sequence++;
        for (int partition = 0; partition < partitions; partition++) {
            int to = partition;
            producer.send(sent.record(partition, next), (metadata, error) -> {
                if (error == null) {
                    sent.acknowledge(to, next);
                } else {
                    errors.add(kind.name(), error);
                }
            });
        }
    }

    /** Waits until each record is acknowledged or has failed. */
    void end() {
        producer.flush();
        if (kind == Kind.NO_ACKS) { // a closed connection is all that such a producer sees of an error
            long closed = producer.metrics().values().stream()
                    .filter(metric -> metric.metricName().name().equals(CLOSED_CONNECTIONS)
                            && metric.metricName().group().equals("producer-metrics"))
                    .mapToLong(metric -> ((Number) metric.metricValue()).longValue())
                    .sum();
            if (closed > 0) {
                errors.add(kind.name(), "closed connection", closed);
            }
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
