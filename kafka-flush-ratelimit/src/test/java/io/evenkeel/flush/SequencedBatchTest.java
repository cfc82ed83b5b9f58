/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** Against what Kafka writes. */
class SequencedBatchTest {
    private static final SimpleRecord RECORD = new SimpleRecord("value".getBytes(StandardCharsets.UTF_8));
    private static final SequencedBatch BATCH = new SequencedBatch(1L << 40, (short) 3, 1 << 20);

    @Test
    void isReadWhateverTheRecordsAre() {
        assertThat(SequencedBatch.of(sent(Compression.NONE))).isEqualTo(BATCH);
        assertThat(SequencedBatch.of(sent(Compression.gzip().build()))).isEqualTo(BATCH);
    }

    @Test
    void isReadFromWhereTheRecordsBegin() {
        ByteBuffer sent = sent(Compression.NONE);
        ByteBuffer later =
                ByteBuffer.allocate(7 + sent.remaining()).position(7).put(sent).position(7);
        assertThat(SequencedBatch.of(later)).isEqualTo(BATCH);
        assertThat(later.position()).isEqualTo(7);
    }

    @Test
    void ofATransactionToo() {
        assertThat(SequencedBatch.of(MemoryRecords.withTransactionalRecords(
                                Compression.NONE,
                                BATCH.producerId(),
                                BATCH.producerEpoch(),
                                BATCH.baseSequence(),
                                RECORD)
                        .buffer()))
                .isEqualTo(BATCH);
    }

    @Test
    void nobodyNumbersOthers() {
        EndTransactionMarker commit = new EndTransactionMarker(ControlRecordType.COMMIT, 0);
        assertThat(SequencedBatch.of(MemoryRecords.withEndTransactionMarker(20, (short) 0, commit)
                        .buffer()))
                .isNull();
        assertThat(SequencedBatch.of(
                        MemoryRecords.withRecords(Compression.NONE, RECORD).buffer()))
                .isNull();
        assertThat(SequencedBatch.of(MemoryRecords.withRecords((byte) 1, Compression.NONE, RECORD)
                        .buffer()))
                .isNull();
        assertThat(SequencedBatch.of(ByteBuffer.allocate(0))).isNull();
        assertThat(SequencedBatch.of(sent(Compression.NONE).limit(60))).isNull();
    }

    private static ByteBuffer sent(Compression compression) {
        return MemoryRecords.withIdempotentRecords(
                        compression, BATCH.producerId(), BATCH.producerEpoch(), BATCH.baseSequence(), RECORD)
                .buffer();
    }
}
