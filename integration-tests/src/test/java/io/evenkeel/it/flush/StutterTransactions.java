/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes small transactions to all partitions of a topic, each with an offset of a group; aborts some on purpose and
 * counts its errors. One thread drives it.
 */
final class StutterTransactions implements AutoCloseable {
    static final String CLIENT = "TRANSACTIONAL";

    private static final int RECORDS = 10;
    private static final int ABORT_EVERY = 5;

    private final Properties properties = new Properties();
    private final String id;
    private final int partitions;
    private final ClientErrors errors;
    private final SentRecords sent;
    private final ConsumerGroupMetadata groupMetadata;
    private KafkaProducer<byte[], byte[]> producer;
    private long transaction;
    private long committedOffset;

    StutterTransactions(Properties client, String topic, int partitions, ClientErrors errors) {
        this.id = topic;
        this.partitions = partitions;
        this.errors = errors;
        this.sent = new SentRecords(topic);
        properties.putAll(client);
        properties.put("transactional.id", id);
        properties.put("group.id", group());
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> member = new KafkaConsumer<>(properties, bytes, bytes)) {
            this.groupMetadata = member.groupMetadata();
        }
        this.producer = create();
        producer.initTransactions();
    }

    private KafkaProducer<byte[], byte[]> create() {
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    SentRecords sent() {
        return sent;
    }

    /** The group whose offset is in each transaction. */
    String group() {
        return id + "-offsets";
    }

    /** The last offset of that group that was surely committed; 0 when none was. */
    long committedOffset() {
        return committedOffset;
    }

    /** Writes one transaction to its end. */
    void writeOne() {
        long number = transaction++;
        try {
            producer.beginTransaction();
            send(number);
            Map<TopicPartition, OffsetAndMetadata> offset = new HashMap<>();
            offset.put(new TopicPartition(id, 0), new OffsetAndMetadata(number + 1));
            producer.sendOffsetsToTransaction(offset, groupMetadata);
            if (number % ABORT_EVERY == 0) {
                producer.flush(); // so that there is something to hide
                producer.abortTransaction();
                each(number, sent::abort);
            } else {
                producer.commitTransaction();
                each(number, sent::acknowledge);
                committedOffset = number + 1;
            }
        } catch (KafkaException lost) {
            errors.add(CLIENT, lost);
            begin();
        }
    }

    /** Begins anew, as an application does whose producer has failed; that ends the transaction under way. */
    private void begin() {
        producer.close(Duration.ZERO);
        producer = create();
        try {
            producer.initTransactions();
        } catch (KafkaException again) {
            errors.add(CLIENT, again); // the next transaction fails and comes back here
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the end of the transaction reports the same error
    private void send(long number) {
        each(number, (partition, sequence) -> producer.send(sent.record(partition, sequence)));
    }

    private void each(long number, ObjLongConsumer<Integer> action) {
        for (int record = 0; record < RECORDS; record++) {
            for (int partition = 0; partition < partitions; partition++) {
                action.accept(partition, number * RECORDS + record);
            }
        }
    }

    /** Shows that the transactional id is usable: a new producer with it commits. */
    void end() {
        producer.close(Duration.ZERO);
        producer = create();
        producer.initTransactions();
        producer.beginTransaction();
        long number = transaction++;
        send(number);
        producer.commitTransaction();
        each(number, sent::acknowledge);
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
