/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Threads;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The clients of {@link KeptMemory}, in a JVM that is killed at the end. It has the client library of the broker's own
 * version, because a newer one knows no share groups of 4.0.
 */
final class KeptLoad {
    private static final Duration POLL = Duration.ofSeconds(1);

    private KeptLoad() {}

    /** Arguments: the broker's address, the topic, how many consumers, and how many records a second. */
    public static void main(String[] args) {
        String broker = args[0];
        String topic = args[1];
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            Threads.start("share-consumer", () -> consume(broker, topic));
        }
        produce(broker, topic, Integer.parseInt(args[3]));
    }

    private static void consume(String broker, String topic) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaShareConsumer<byte[], byte[]> consumer =
                new KafkaShareConsumer<>(Map.of("bootstrap.servers", broker, "group.id", "share"), bytes, bytes)) {
            consumer.subscribe(Set.of(topic));
            while (true) {
                consumer.poll(POLL);
            }
        }
    }

    /** Sends to one partition, so that nothing happens to the others. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is not appended completes no fetch, which the gauges show
    private static void produce(String broker, String topic, int perSecond) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(Map.of("bootstrap.servers", broker), bytes, bytes)) {
            while (true) {
                producer.send(new ProducerRecord<>(topic, 0, null, new byte[100]));
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / perSecond);
            }
        }
    }
}
