/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileStamp;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Compares a segment's copies on both devices by content, with direct I/O. Not thread safe: it owns a large buffer.
 *
 * <p>A broker may change, evict or delete the segment during the comparison. So a difference counts only when both
 * files have the same file key, length and time before and after they were read; otherwise they are read again.
 */
public final class CopyComparison {
    private static final int ATTEMPTS = 5;

    /** How a comparison ended. */
    public enum Result {
        /** Both files have the same bytes. */
        SAME,
        /** The bytes differ, although length and time of the last write are equal. */
        DIFFERENT,
        /** There are no longer two complete copies. */
        NOT_CACHED,
        /** The files changed during each attempt. */
        CHANGING
    }

    /**
     * The result of a comparison.
     *
     * @param atBytes the start of the first chunk that differs, or -1
     */
    public record Outcome(Result result, long atBytes) {}

    /** Identifies one version of a file. */
    private record Version(Object fileKey, long sizeBytes, long modifiedNanos) {
        static Version of(Path file) throws IOException {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
            return new Version(
                    String.valueOf(found.fileKey()),
                    found.size(),
                    found.lastModifiedTime().to(NANOSECONDS));
        }
    }

    private record Versions(Version hdd, Version ssd) {}

    private final FileOps files;
    private final DirectIoBuffer buffer;

    public CopyComparison() {
        this(new FileOps(), new DirectIoBuffer());
    }

    CopyComparison(FileOps files, DirectIoBuffer buffer) {
        this.files = files;
        this.buffer = buffer;
    }

    /**
     * Compares the copies of a cached segment.
     *
     * @param read receives the number of bytes read from both devices together, after each chunk
     * @throws IOException when one of the files cannot be read; the message names it
     */
    public Outcome compare(Path hddFile, Path ssdFile, LongConsumer read) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Versions before = versions(hddFile, ssdFile);
            if (before == null) {
                return new Outcome(Result.NOT_CACHED, -1);
            }
            try {
                long atBytes = firstDifference(hddFile, ssdFile, read);
                if (atBytes < 0) {
                    return new Outcome(Result.SAME, -1);
                }
                if (before.equals(versions(hddFile, ssdFile))) {
                    return new Outcome(Result.DIFFERENT, atBytes);
                }
            } catch (NoSuchFileException e) {
                // evicted or deleted during the comparison; the next attempt finds out
            }
        }
        return new Outcome(Result.CHANGING, -1);
    }

    /** The start of the first chunk that differs between the files, or -1. */
    long firstDifference(Path hddFile, Path ssdFile, LongConsumer read) throws IOException {
        try (FileChannel hdd = DirectIoBuffer.openDirect(files, hddFile, READ, NOFOLLOW_LINKS);
                FileChannel ssd = DirectIoBuffer.openDirect(files, ssdFile, READ, NOFOLLOW_LINKS)) {
            long position = 0;
            while (true) {
                CRC32C onHdd = new CRC32C();
                CRC32C onSsd = new CRC32C();
                int hddBytes = read(hdd, hddFile, Device.HDD, position, onHdd);
                int ssdBytes = read(ssd, ssdFile, Device.SSD, position, onSsd);
                read.accept(hddBytes + (long) ssdBytes);
                if (hddBytes != ssdBytes || onHdd.getValue() != onSsd.getValue()) {
                    return position;
                }
                if (hddBytes < DirectIoBuffer.CHUNK_BYTES) {
                    return -1;
                }
                position += hddBytes;
            }
        }
    }

    private int read(FileChannel channel, Path file, Device device, long position, CRC32C crc) throws IOException {
        try {
            int bytes = buffer.read(channel, position);
            buffer.checksum(crc, bytes);
            return bytes;
        } catch (IOException e) {
            throw new IOException(
                    "Cannot read at " + position + " (" + e.getMessage() + "): " + file + " ("
                            + (device == Device.SSD ? "ssd" : "hdd") + ")",
                    e);
        }
    }

    private static @Nullable Versions versions(Path hddFile, Path ssdFile) throws IOException {
        try {
            return FileStamp.areSame(ssdFile, hddFile) ? new Versions(Version.of(hddFile), Version.of(ssdFile)) : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
