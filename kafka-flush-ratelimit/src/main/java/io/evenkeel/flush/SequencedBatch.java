/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The producer of a batch of records, and the place of the batch in this producer's sequence for the partition.
 * Immutable.
 *
 * @param baseSequence of its first record
 */
public record SequencedBatch(long producerId, short producerEpoch, int baseSequence) {
    /*
     * Kafka's record batch, version 2, in bytes: base offset 8, length 4, leader epoch 4, magic 1, checksum 4,
     * attributes 2, last offset delta 4, two timestamps of 8, producer id 8, producer epoch 2, base sequence 4, count
     * 4.
     */
    private static final int MAGIC_AT = 16;
    private static final int PRODUCER_ID_AT = 43;
    private static final int PRODUCER_EPOCH_AT = 51;
    private static final int BASE_SEQUENCE_AT = 53;
    private static final int HEADER_BYTES = 61;

    /**
     * The first of these record batches. Null when it has no sequence number: its producer is not idempotent, or it is
     * a transaction marker.
     */
    public static @Nullable SequencedBatch of(ByteBuffer records) {
        int at = records.position();
        if (records.remaining() < HEADER_BYTES || records.get(at + MAGIC_AT) < 2) {
            return null;
        }
        long producerId = records.getLong(at + PRODUCER_ID_AT);
        int baseSequence = records.getInt(at + BASE_SEQUENCE_AT);
        return producerId < 0 || baseSequence < 0
                ? null
                : new SequencedBatch(producerId, records.getShort(at + PRODUCER_EPOCH_AT), baseSequence);
    }
}
