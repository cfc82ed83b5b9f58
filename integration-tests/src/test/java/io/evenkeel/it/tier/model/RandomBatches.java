/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Batches of every kind that a broker may be sent. Not thread safe. */
final class RandomBatches {
    private static final int KEYS = 25;
    private static final int PRODUCERS = 4;

    private final Random random;
    private final SteppedTime time;
    private final int valueBytes;

    /** @param valueBytes no value is longer */
    RandomBatches(Random random, SteppedTime time, int valueBytes) {
        this.random = random;
        this.time = time;
        this.valueBytes = valueBytes;
    }

    /** A batch for a leader: plain, or from one of a few idempotent producers, which may be in a transaction. */
    MemoryRecords forLeader(Map<Long, Integer> lastSequences) {
        if (random.nextInt(100) < 50) {
            return MemoryRecords.withRecords(compression(), records());
        }
        long producer = 1L + random.nextInt(PRODUCERS);
        boolean transactional = producer % 2 == 0;
        short epoch = (short) (random.nextInt(100) < 5 ? random.nextInt(3) : 0);
        int sequence = lastSequences.getOrDefault(producer, -1) + 1;
        if (random.nextInt(100) < 8) {
            sequence = Math.max(0, sequence - random.nextInt(4)); // a batch sent again, or one that leaves others out
        }
        return transactional
                ? MemoryRecords.withTransactionalRecords(compression(), producer, epoch, sequence, records())
                : MemoryRecords.withIdempotentRecords(compression(), producer, epoch, sequence, records());
    }

    /** A batch of a format that brokers before 4.0 wrote; without timestamps in the oldest. */
    MemoryRecords ofOldFormat(byte magic) {
        CompressionType type = random.nextBoolean() ? CompressionType.NONE : CompressionType.GZIP;
        return MemoryRecords.withRecords(magic, Compression.of(type).build(), withoutHeaders(records()));
    }

    /** The end of a transaction of one of the producers. */
    MemoryRecords marker() {
        long producer = 2L + 2L * random.nextInt(PRODUCERS / 2);
        ControlRecordType type = random.nextBoolean() ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        short epoch = (short) (random.nextInt(100) < 5 ? random.nextInt(3) : 0);
        return MemoryRecords.withEndTransactionMarker(
                time.milliseconds(), producer, epoch, new EndTransactionMarker(type, 0));
    }

    /** The batches that a leader would have sent from that offset on, one or a few. */
    MemoryRecords forFollower(long offset, int leaderEpoch) {
        ByteBuffer buffer = ByteBuffer.allocate(1024);
        long next = offset;
        MemoryRecordsBuilder builder = null;
        for (int batches = 1 + random.nextInt(3); batches > 0; batches--) {
            builder = MemoryRecords.builder(
                    builder == null ? buffer : builder.buffer(),
                    RecordBatch.CURRENT_MAGIC_VALUE,
                    compression(),
                    TimestampType.CREATE_TIME,
                    next,
                    RecordBatch.NO_TIMESTAMP,
                    leaderEpoch);
            for (SimpleRecord simple : records()) {
                builder.appendWithOffset(next++, simple);
                next += random.nextInt(100) < 5 ? random.nextInt(5) : 0; // a compacted leader's offsets have gaps
            }
            builder.close();
        }
        ByteBuffer written = Objects.requireNonNull(builder).buffer().duplicate();
        written.flip();
        return MemoryRecords.readableRecords(written);
    }

    private SimpleRecord[] records() {
        boolean timeless = random.nextInt(100) < 15;
        SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(6)];
        for (int i = 0; i < records.length; i++) {
            long timestamp = timeless ? RecordBatch.NO_TIMESTAMP : time.milliseconds() - random.nextInt(100_000);
            byte[] key = random.nextInt(100) < 3 ? null : ("key" + random.nextInt(KEYS)).getBytes(UTF_8);
            byte[] value = random.nextInt(100) < 8 ? null : new byte[random.nextInt(valueBytes)];
            if (value != null) {
                random.nextBytes(value);
            }
            Header[] headers = random.nextInt(100) < 20
                    ? new Header[] {new RecordHeader("header", new byte[] {(byte) i})}
                    : new Header[0];
            records[i] = new SimpleRecord(timestamp, key, value, headers);
        }
        return records;
    }

    private static SimpleRecord[] withoutHeaders(SimpleRecord[] records) {
        for (int i = 0; i < records.length; i++) {
            records[i] = new SimpleRecord(records[i].timestamp(), records[i].key(), records[i].value());
        }
        return records;
    }

    private Compression compression() {
        int dice = random.nextInt(100);
        if (dice < 60) {
            return Compression.NONE;
        }
        CompressionType[] types = CompressionType.values();
        return Compression.of(types[dice % types.length]).build();
    }
}
