/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What one producer sent to a topic, and what became of it. A record's value begins with a sequence, which the producer
 * counts in each partition from 0. Thread safe.
 */
final class SentRecords {
    static final int VALUE_BYTES = 2_000;

    private final String topic;
    private final Map<Integer, Set<Long>> acknowledged = new ConcurrentHashMap<>();
    private final Map<Integer, Set<Long>> aborted = new ConcurrentHashMap<>();

    SentRecords(String topic) {
        this.topic = topic;
    }

    String topic() {
        return topic;
    }

    ProducerRecord<byte[], byte[]> record(int partition, long sequence) {
        byte[] value = new byte[VALUE_BYTES];
        ByteBuffer.wrap(value).putLong(sequence);
        return new ProducerRecord<>(topic, partition, null, value);
    }

    void acknowledge(int partition, long sequence) {
        of(acknowledged, partition).add(sequence);
    }

    /** The record was written in a transaction that was aborted. */
    void abort(int partition, long sequence) {
        of(aborted, partition).add(sequence);
    }

    long acknowledgedCount() {
        return acknowledged.values().stream().mapToLong(Set::size).sum();
    }

    private static Set<Long> of(Map<Integer, Set<Long>> sets, int partition) {
        return sets.computeIfAbsent(partition, first -> new ConcurrentSkipListSet<>());
    }

    /** What a partition holds is not in order, or holds a record twice. */
    static boolean isOutOfOrder(List<Long> found) {
        return IntStream.range(1, found.size()).anyMatch(i -> found.get(i) <= found.get(i - 1));
    }

    /**
     * Asserts that a partition holds nothing that was aborted; answers how many of the acknowledged records are not
     * there.
     */
    long verify(int partition, List<Long> found) {
        assertThat(found).as("aborted, %s-%d", topic, partition).noneMatch(of(aborted, partition)::contains);
        Set<Long> missing = new TreeSet<>(of(acknowledged, partition));
        missing.removeAll(Set.copyOf(found));
        return missing.size();
    }

    /** The sequences in the order of the log, by partition. */
    static final class Found {
        private final Map<TopicPartition, List<Long>> sequences = new HashMap<>();

        void add(TopicPartition partition, byte[] value) {
            sequences
                    .computeIfAbsent(partition, first -> new ArrayList<>())
                    .add(ByteBuffer.wrap(value).getLong());
        }

        List<Long> of(TopicPartition partition) {
            return sequences.getOrDefault(partition, List.of());
        }
    }
}
