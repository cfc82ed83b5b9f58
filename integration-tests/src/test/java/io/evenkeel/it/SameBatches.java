/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Topics;
import java.nio.ByteBuffer;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * Appends batches that are the same, byte for byte, on any broker: each record is a function of its offset, and nothing
 * depends on a producer id or a clock. Immutable.
 *
 * @param keys how many different keys there are
 * @param timestampMs of the records, by their offset
 */
public record SameBatches(String topic, int keys, LongUnaryOperator timestampMs) {
    public static final int RECORDS = 25;

    public static final int VALUE_BYTES = 4000;

    /** Records a millisecond apart, the first one at that time, each with a key of its own. */
    public SameBatches(String topic, long firstTimestampMs) {
        this(topic, Integer.MAX_VALUE, offset -> firstTimestampMs + offset);
    }

    /** Appends {@code batches} batches of about 100 KB each to partition 0. */
    public void append(Broker leader, int batches) {
        append(leader, batches, (short) -1, () -> {});
    }

    /** As {@link #append(Broker, int)}, with something to be done after each batch. */
    public void append(Broker leader, int batches, short acks, Runnable afterEach) {
        Records values = new Records(topic, 1, VALUE_BYTES);
        long next = new Topics(leader).latest(topic, 0);
        try (RawClient client = new RawClient(leader)) {
            for (int i = 0; i < batches; i++) {
                long offset = client.append(topic, 0, acks, batch(values, next));
                if (offset != next) {
                    throw new AssertionError("a batch for offset " + next + " was put at " + offset);
                }
                next += RECORDS;
                afterEach.run();
            }
        }
    }

    private MemoryRecords batch(Records values, long firstOffset) {
        SimpleRecord[] records = new SimpleRecord[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            long offset = firstOffset + i;
            byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(offset % keys).array();
            records[i] = new SimpleRecord(timestampMs.applyAsLong(offset), key, values.value(0, offset));
        }
        return MemoryRecords.withRecords(Compression.NONE, records);
    }
}
