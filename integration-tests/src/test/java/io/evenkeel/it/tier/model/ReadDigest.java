/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Checksums of a segment's records by each way that Kafka reads it, and of directories. Stateless. */
final class ReadDigest {
    private ReadDigest() {}

    /** The bytes, read as a follower's or a TLS client's fetch, as a plain fetch, or batch by batch. */
    static String of(Records records, int way) throws IOException {
        if (!(records instanceof FileRecords file)) {
            return records.sizeInBytes() + " bytes in memory";
        }
        return switch (way % 3) {
            case 0 -> copied(file);
            case 1 -> transferred(file);
            default -> parsed(file);
        };
    }

    private static String copied(FileRecords records) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(records.sizeInBytes());
        records.readInto(bytes, 0);
        CRC32C crc = new CRC32C();
        int count = bytes.remaining();
        crc.update(bytes);
        return "copied " + count + "#" + Long.toHexString(crc.getValue());
    }

    private static String transferred(FileRecords records) throws IOException {
        Sink sink = new Sink();
        int count = 0;
        while (count < records.sizeInBytes()) {
            int more = records.writeTo(sink, count, records.sizeInBytes() - count);
            if (more <= 0) {
                break;
            }
            count += more;
        }
        return "transferred " + count + "#" + Long.toHexString(sink.crc.getValue());
    }

    private static String parsed(FileRecords records) {
        CRC32C crc = new CRC32C();
        int batches = 0;
        int count = 0;
        for (RecordBatch batch : records.batches()) {
            batch.ensureValid();
            batches++;
            for (Record record : batch) {
                count++;
                crc.update(record.toString().getBytes(UTF_8));
                update(crc, record.key());
                update(crc, record.value());
            }
        }
        return "parsed " + batches + "/" + count + "#" + Long.toHexString(crc.getValue());
    }

    private static void update(CRC32C crc, @Nullable ByteBuffer bytes) {
        if (bytes != null) {
            crc.update(Utils.toArray(bytes));
        }
    }

    /** Every file in a partition's directory as stock would see it: its name, its length, its bytes through a link. */
    static String of(Path partition) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(partition)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".log.deleted") && partition.toString().endsWith("-delete")) {
                    // Deleted twice: Kafka forgets it, and it goes with its directory. The tier frees its space
                    // before.
                    all.append(' ').append(name);
                } else if (!name.contains(".tiering")) {
                    all.append(' ').append(name).append('=').append(of(Files.readAllBytes(file)));
                }
            }
        }
        return all.toString();
    }

    private static String of(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return bytes.length + "#" + Long.toHexString(crc.getValue());
    }

    /** Where a plain fetch is sent to. */
    private static final class Sink implements TransferableChannel {
        final CRC32C crc = new CRC32C();

        @Override
        public int write(ByteBuffer source) {
            int count = source.remaining();
            crc.update(source);
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            long count = 0;
            for (int i = offset; i < offset + length; i++) {
                count += write(sources[i]);
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean hasPendingWrites() {
            return false;
        }

        @Override
        public long transferFrom(FileChannel file, long position, long count) throws IOException {
            return file.transferTo(position, count, this);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
