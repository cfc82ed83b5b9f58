/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;

/**
 * Writes transactions of some records to each partition; commits most and aborts some on purpose. One thread writes;
 * the questions may be asked by any.
 */
final class TransactionWriter implements AutoCloseable {
    /** Of each transaction, in each partition. */
    static final int RECORDS = 5;

    private static final int ABORT_EVERY = 4;

    /** How a transaction ended. */
    enum Outcome {
        COMMITTED,
        ABORTED,
        /** The producer was lost in the commit: all of it is there, or nothing. */
        EITHER
    }

    private final Properties client;
    private final String topic;
    private final int partitions;
    private final int id;
    private final ConcurrentSkipListMap<Long, Outcome> outcomes = new ConcurrentSkipListMap<>();
    private KafkaProducer<byte[], byte[]> producer;
    private long next;

    TransactionWriter(Properties client, String topic, int partitions, int id) {
        this.client = client;
        this.topic = topic;
        this.partitions = partitions;
        this.id = id;
        this.producer = begin();
    }

    private KafkaProducer<byte[], byte[]> begin() {
        Properties more = new Properties();
        more.put("transactional.id", topic + "-" + id);
        KafkaProducer<byte[], byte[]> begun = LoadWriter.producer(client, more);
        begun.initTransactions();
        return begun;
    }

    /** Writes one transaction to its end. */
    void writeOne() {
        long transaction = next++;
        Outcome onFailure = Outcome.ABORTED;
        try {
            producer.beginTransaction();
            send(transaction);
            if (transaction % ABORT_EVERY == 0) {
                producer.flush(); // so that there is something to hide
                producer.abortTransaction();
                outcomes.put(transaction, Outcome.ABORTED);
            } else {
                onFailure = Outcome.EITHER;
                producer.commitTransaction();
                outcomes.put(transaction, Outcome.COMMITTED);
            }
        } catch (KafkaException lost) {
            System.out.printf("transaction %d of writer %d: %s%n", transaction, id, lost);
            outcomes.put(transaction, onFailure);
            producer.close(Duration.ZERO);
            producer = begin(); // which ends what is left of the other
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the end of the transaction is told the same
    private void send(long transaction) {
        for (int sequence = 0; sequence < RECORDS; sequence++) {
            Tagged tag = new Tagged(id, transaction, sequence);
            for (int partition = 0; partition < partitions; partition++) {
                producer.send(tag.record(topic, partition));
            }
        }
    }

    /** Returns when each partition has the markers of the transactions that were committed or aborted. */
    void end() {
        producer.close();
        producer = begin(); // which waits for its predecessor's last transaction
        producer.close();
    }

    /** Of all transactions that have ended. */
    Map<Long, Outcome> outcomes() {
        return outcomes;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
