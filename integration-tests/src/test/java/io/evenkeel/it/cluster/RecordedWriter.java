/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.it.cluster.History.Outcome;
import io.evenkeel.it.cluster.History.Send;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends some records at a time, all replicas acknowledging, idempotently, as a process of a {@link History}. It gives a
 * record up soon, and then nobody knows whether it was written. One thread writes.
 */
final class RecordedWriter implements AutoCloseable {
    private static final int RECORDS = 4;

    private final History history;
    private final String topic;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private int process;

    RecordedWriter(History history, Properties client, String topic, int partitions) {
        this.history = history;
        this.topic = topic;
        this.partitions = partitions;
        this.producer = LoadWriter.producer(client, impatient());
        this.process = history.newProcess();
    }

    /** An election takes longer now and then. */
    static Properties impatient() {
        Properties properties = new Properties();
        properties.put("request.timeout.ms", "1500");
        properties.put("delivery.timeout.ms", "2000");
        properties.put("max.block.ms", "2000");
        return properties;
    }

    /** Records that nobody has sent yet. */
    static List<Send> draw(History history, int partitions) {
        return Stream.generate(history::newValue)
                .limit(RECORDS)
                .map(value -> new Send((int) (value % partitions), value, null))
                .toList();
    }

    /** Begins to send. */
    static List<Future<RecordMetadata>> send(
            KafkaProducer<byte[], byte[]> producer, String topic, int process, List<Send> sends) {
        return sends.stream()
                .map(send -> producer.send(new Tagged(process, 0, send.value()).record(topic, send.partition())))
                .toList();
    }

    /** One operation. */
    void writeSome() throws InterruptedException {
        List<Send> sends = draw(history, partitions);
        history.invoke(process, "send", sends);
        List<Future<RecordMetadata>> answers = send(producer, topic, process, sends);
        List<Send> sent = new ArrayList<>();
        Throwable error = null;
        for (int i = 0; i < sends.size(); i++) {
            try {
                sent.add(sends.get(i).at(answers.get(i).get().offset()));
            } catch (ExecutionException unknown) {
                sent.add(sends.get(i));
                error = Objects.requireNonNullElse(unknown.getCause(), unknown);
            }
        }
        history.end(error == null ? Outcome.OK : Outcome.INFO, process, "send", sent, error);
        if (error != null) {
            process = history.newProcess();
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
