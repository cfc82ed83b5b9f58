/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.it.cluster.History.Outcome;
import io.evenkeel.it.cluster.History.Send;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Transactions, each of a poll and some sends, as a process of a {@link History}; aborts some on purpose. One thread at
 * a time.
 */
final class RecordedTransactions implements AutoCloseable {
    private static final int ABORT_EVERY = 4;

    private final History history;
    private final Properties client;
    private final String topic;
    private final int partitions;
    private final String id;
    private KafkaProducer<byte[], byte[]> producer;
    private RecordedReader reader;
    private long count;

    RecordedTransactions(History history, Properties client, String topic, int partitions, int id) {
        this.history = history;
        this.client = client;
        this.topic = topic;
        this.partitions = partitions;
        this.id = topic + "-" + id;
        this.producer = newProducer();
        this.reader = newReader();
    }

    private RecordedReader newReader() {
        return new RecordedReader(history, client, topic, partitions);
    }

    /** Ends what is left of its predecessor's last transaction, however long that takes. */
    private KafkaProducer<byte[], byte[]> newProducer() {
        Properties more = RecordedWriter.impatient();
        more.put("transactional.id", id);
        while (true) {
            KafkaProducer<byte[], byte[]> begun = LoadWriter.producer(client, more);
            try {
                begun.initTransactions();
                return begun;
            } catch (KafkaException notYet) {
                begun.close(Duration.ZERO);
            }
        }
    }

    /** One operation. When the producer is lost, another process goes on. */
    void runOne() throws InterruptedException, ExecutionException {
        List<Object> steps = new ArrayList<>();
        List<Send> sends = RecordedWriter.draw(history, partitions);
        steps.add(History.POLL);
        steps.addAll(sends);
        history.invoke(reader.process(), "txn", steps);
        Outcome onLoss = Outcome.FAIL; // until the commit begins
        try {
            producer.beginTransaction();
            Map<TopicPartition, Long> positions = reader.positions();
            steps.set(0, reader.poll());
            List<Future<RecordMetadata>> answers = RecordedWriter.send(producer, topic, reader.process(), sends);
            producer.flush(); // so that there is something to hide if it is aborted
            if (++count % ABORT_EVERY == 0) {
                producer.abortTransaction();
                history.end(Outcome.FAIL, reader.process(), "txn", steps, null);
                reader.goBackTo(positions);
                return;
            }
            onLoss = Outcome.INFO;
            producer.commitTransaction();
            for (int i = 0; i < sends.size(); i++) {
                steps.set(i + 1, sends.get(i).at(answers.get(i).get().offset()));
            }
            history.end(Outcome.OK, reader.process(), "txn", steps, null);
        } catch (KafkaException lost) {
            history.end(onLoss, reader.process(), "txn", steps, lost);
            close();
            producer = newProducer();
            reader = newReader();
        }
    }

    /** Returns when each partition has the markers of all transactions. */
    void end() {
        producer.close();
        producer = newProducer();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        reader.close();
    }
}
