/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.jspecify.annotations.Nullable;

/** A compacted topic in which each record has a key of its own. Immutable. */
record KeyedBacklog(String name, int partitions, int mib) {
    private static final int VALUE_BYTES = 1000;

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    void fill(Properties client) throws ExecutionException, InterruptedException {
        new Topic(name, partitions)
                .create(client, Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"));
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("batch.size", String.valueOf(128 << 10));
        properties.put("delivery.timeout.ms", "600000");
        properties.put("max.block.ms", "600000");
        byte[] value = new byte[VALUE_BYTES];
        new Random(1).nextBytes(value);
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try (KafkaProducer<Long, byte[]> producer =
                new KafkaProducer<>(properties, new LongSerializer(), new ByteArraySerializer())) {
            for (long key = 0; key < mib * (1L << 20) / VALUE_BYTES; key++) {
                producer.send(new ProducerRecord<>(name, (int) (key % partitions), key, value), (metadata, error) -> {
                    if (error != null) {
                        failure.set(error);
                    }
                });
            }
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("producing failed", failed);
        }
    }

    /** Of its segments. */
    long bytes(Path logDir) throws IOException {
        try (Stream<Path> files = Files.walk(logDir)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .mapToLong(file -> {
                        try {
                            return Files.size(file);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .sum();
        }
    }
}
