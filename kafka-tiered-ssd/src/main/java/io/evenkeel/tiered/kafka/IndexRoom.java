/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.kafka.storage.internals.log.AbstractIndex;
import org.apache.kafka.storage.internals.log.LogSegment;

/**
 * The pages that the indexes of a segment need for its next append. Thread safe; the caller holds the log's lock.
 *
 * <p>Kafka maps its indexes into memory, as sparse files. When their disk is full, storing an entry into a page that is
 * not on the disk yet raises an {@link InternalError}, which the JVM throws where it likes: compiled code throws it
 * after the append, into whatever the thread does then. Stock is safe, since the records of that append find the disk
 * full first. The records of a tiered segment go to another disk; so the pages are written beforehand, as they are.
 */
final class IndexRoom {
    static final int PAGE_BYTES = 4096;

    private static final int OFFSET_ENTRY_BYTES = 8;
    private static final int TIME_ENTRY_BYTES = 12;
    private static final int SMALLEST_BATCH_BYTES = 61;
    /** One for a remainder, and one that the time index gets when the segment is full. */
    private static final int FURTHER_ENTRIES = 2;

    /** How far each index has its pages: an index without entries would get them anew at each append. */
    private static final Map<AbstractIndex, Long> RESERVED = Collections.synchronizedMap(new WeakHashMap<>());

    private IndexRoom() {}

    /** Kafka has trimmed the indexes of a full segment; if it goes on with them, they need new pages. */
    static void forget(LogSegment segment) throws IOException {
        RESERVED.remove(segment.offsetIndex());
        RESERVED.remove(segment.timeIndex());
    }

    /**
     * Makes room in both indexes.
     *
     * @param intervalBytes the records between two entries
     * @throws IOException when their disk has no room, or takes no writes
     */
    static void reserve(LogSegment segment, long appendBytes, int intervalBytes) throws IOException {
        long entries = appendBytes / Math.max(SMALLEST_BATCH_BYTES, intervalBytes) + FURTHER_ENTRIES;
        reserve(segment.offsetIndex(), entries * OFFSET_ENTRY_BYTES);
        reserve(segment.timeIndex(), entries * TIME_ENTRY_BYTES);
    }

    private static void reserve(AbstractIndex index, long bytes) throws IOException {
        long end = Math.min(index.length(), pageEnd(index.sizeInBytes() + bytes));
        long begin = pageEnd(index.sizeInBytes());
        if (begin < end && RESERVED.getOrDefault(index, 0L) < end) {
            reserve(index, begin, end);
        }
    }

    /** Rounds up to whole pages. */
    private static long pageEnd(long bytes) {
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    private static void reserve(AbstractIndex index, long begin, long end) throws IOException {
        Path file = index.file().toPath();
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            for (long page = begin; page < end; page += PAGE_BYTES) {
                reserve(channel, page, ByteBuffer.allocate((int) Math.min(PAGE_BYTES, end - page)));
            }
            RESERVED.put(index, end);
        } catch (FileSystemException e) { // it was not opened
            if (Files.exists(file) && !Files.isWritable(file)) {
                throw failed(file, begin, e);
            }
            // Stock needs no file handle for an append. So a lack of them must not fail one; the next tries again.
        } catch (IOException e) {
            throw failed(file, begin, e);
        }
    }

    private static void reserve(FileChannel channel, long page, ByteBuffer bytes) throws IOException {
        if (isPerhapsAHole(channel, page, bytes)) {
            bytes.clear();
            while (bytes.hasRemaining()) {
                channel.write(bytes, page + bytes.position());
            }
        }
    }

    private static IOException failed(Path file, long position, IOException cause) {
        return new IOException(
                "Cannot write a page at " + position + " of " + file
                        + ", an index that is mapped into memory: its disk is full, or takes no writes.",
                cause);
    }

    /** False when the page holds entries, which Kafka has truncated; true when it holds zeros. */
    private static boolean isPerhapsAHole(FileChannel channel, long page, ByteBuffer bytes) throws IOException {
        channel.read(bytes, page);
        for (int i = 0; i < bytes.position(); i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
