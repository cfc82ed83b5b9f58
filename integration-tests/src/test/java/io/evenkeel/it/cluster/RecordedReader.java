/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.it.cluster.History.Outcome;
import io.evenkeel.it.cluster.History.Placed;
import io.evenkeel.it.cluster.History.Poll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads what is committed, from the beginning on, as a process of a {@link History}. One thread at a time. */
final class RecordedReader implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMillis(50);

    private final History history;
    private final int process;
    private final List<TopicPartition> all;
    private final KafkaConsumer<byte[], byte[]> consumer;

    RecordedReader(History history, Properties client, String topic, int partitions) {
        this.history = history;
        this.process = history.newProcess();
        List<Integer> keys = IntStream.range(0, partitions).boxed().toList();
        this.all = keys.stream().map(key -> new TopicPartition(topic, key)).toList();
        history.invoke(process, "assign", keys);
        this.consumer = LoadReader.committed(client, all);
        history.end(Outcome.OK, process, "assign", keys, null);
    }

    int process() {
        return process;
    }

    /** One operation. */
    void readSome() {
        history.invoke(process, "poll", List.of(History.POLL));
        history.end(Outcome.OK, process, "poll", List.of(poll()), null);
    }

    /** A step of somebody's operation. */
    Poll poll() {
        Map<Integer, List<Placed>> found = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(WAIT)) {
            found.computeIfAbsent(record.partition(), partition -> new ArrayList<>())
                    .add(new Placed(record.offset(), Tagged.of(record).sequence()));
        }
        return new Poll(found);
    }

    /** Until the ends that the partitions have now. */
    void readToEnds() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            readSome();
        }
    }

    Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        all.forEach(partition -> positions.put(partition, consumer.position(partition)));
        return positions;
    }

    void goBackTo(Map<TopicPartition, Long> positions) {
        positions.forEach(consumer::seek);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
