/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The identity of a record of a {@link ClusterLoad}; all its other bytes follow from that. Immutable.
 *
 * @param writer the number of the writer
 * @param transaction counted by the writer; always 0 without transactions
 * @param sequence counted by the writer for each partition, in each transaction anew
 */
record Tagged(int writer, long transaction, long sequence) {
    private static final int VALUE_BYTES = 1000;

    ProducerRecord<byte[], byte[]> record(String topic, int partition) {
        return new ProducerRecord<>(topic, partition, null, value(partition));
    }

    private byte[] value(int partition) {
        byte[] value = new byte[VALUE_BYTES];
        new SplittableRandom(sequence * 31 + transaction * 31 * 31 + writer * 7L + partition).nextBytes(value);
        ByteBuffer.wrap(value).putInt(writer).putLong(transaction).putLong(sequence);
        return value;
    }

    /** Throws an {@link AssertionError} when the bytes are not those that were written. */
    static Tagged of(ConsumerRecord<byte[], byte[]> found) {
        ByteBuffer value = ByteBuffer.wrap(found.value());
        Tagged tag = new Tagged(value.getInt(), value.getLong(), value.getLong());
        if (!Arrays.equals(found.value(), tag.value(found.partition()))) {
            throw new AssertionError("the bytes of " + tag + " differ: " + found.topic() + "-" + found.partition()
                    + " at " + found.offset());
        }
        return tag;
    }
}
