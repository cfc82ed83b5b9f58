/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One copy of one sealed segment from SSD to HDD, a bounded step at a time. Not thread safe: one copier runs it.
 *
 * <p>Force the SSD file, copy it beside the link, force the copy, read it back, publish. Until it is published, the
 * copy is a file that nobody knows; {@link #close()} removes it.
 */
final class SegmentCopy implements AutoCloseable {
    private enum Stage {
        OPEN,
        COPY,
        SEAL,
        VERIFY,
        PUBLISH,
        DONE
    }

    private final FileOps files;
    private final Segment segment;
    private final Segment.CopyTicket ticket;
    private final DirectIoBuffer buffer;
    private final Path copy;
    private final CRC32C written = new CRC32C();
    private final CRC32C found = new CRC32C();

    private Stage stage = Stage.OPEN;
    private long sizeBytes;
    private long position;
    private FileTime dataTime = FileTime.fromMillis(0);
    private @Nullable FileChannel source;
    private @Nullable FileChannel target;
    private boolean published;
    private boolean sourceDoubtful;
    private boolean sourceFailed;

    SegmentCopy(FileOps files, Segment segment, Segment.CopyTicket ticket, DirectIoBuffer buffer) {
        this.files = files;
        this.segment = segment;
        this.ticket = ticket;
        this.buffer = buffer;
        this.copy = SegmentFileName.withSuffix(ticket.path(), SegmentFileName.COPY_SUFFIX);
    }

    Segment segment() {
        return segment;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    boolean isDone() {
        return stage == Stage.DONE;
    }

    /** True when the next step writes to the HDD. */
    boolean isWriting() {
        return stage == Stage.COPY;
    }

    /** False after {@link #isDone()} when the segment changed meanwhile. */
    boolean isPublished() {
        return published;
    }

    /**
     * True when the SSD file could not be forced: what the page cache shows of it may never have reached the device.
     */
    boolean isSourceDoubtful() {
        return sourceDoubtful;
    }

    /** True when it was the SSD that failed, not the HDD. */
    boolean isSourceFailed() {
        return sourceFailed || sourceDoubtful;
    }

    SsdFile source() {
        return ticket.ssdFile();
    }

    /**
     * Does the next step.
     *
     * @return how many bytes it wrote to the HDD or read back: a chunk at the most
     */
    long step() throws IOException {
        if (!segment.isCurrent(ticket)) {
            stage = Stage.DONE;
            return 0;
        }
        switch (stage) {
            case OPEN -> open();
            case COPY -> {
                return copyChunk();
            }
            case SEAL -> seal();
            case VERIFY -> {
                return verifyChunk();
            }
            case PUBLISH -> publish();
            case DONE -> throw new IllegalStateException("The copy is done: " + copy);
        }
        return 0;
    }

    private void open() throws IOException {
        Path ssdFile = ticket.ssdFile().path();
        try (FileChannel channel = files.open(ssdFile, READ, NOFOLLOW_LINKS)) {
            sizeBytes = channel.size();
            files.force(channel);
        } catch (IOException e) {
            sourceDoubtful = true;
            throw e;
        }
        dataTime = Files.getLastModifiedTime(ssdFile);
        files.deleteIfExists(copy);
        source = DirectIoBuffer.openDirect(files, ssdFile, READ, NOFOLLOW_LINKS);
        target = DirectIoBuffer.openDirect(files, copy, CREATE_NEW, WRITE);
        stage = sizeBytes == 0 ? Stage.SEAL : Stage.COPY;
    }

    private long copyChunk() throws IOException {
        int bytes = readSource();
        int expected = (int) Math.min(DirectIoBuffer.CHUNK_BYTES, sizeBytes - position);
        if (bytes != expected) {
            throw new IOException("Read " + bytes + " instead of " + expected + " bytes at " + position + ": "
                    + ticket.ssdFile().path() + " (ssd)");
        }
        buffer.checksum(written, bytes);
        buffer.write(opened(target), position);
        if (advance(bytes)) {
            stage = Stage.SEAL;
        }
        return bytes;
    }

    private int readSource() throws IOException {
        try {
            return buffer.read(opened(source), position);
        } catch (IOException e) {
            sourceFailed = true;
            throw new IOException(
                    "Cannot read at " + position + " (" + e.getMessage() + "): "
                            + ticket.ssdFile().path() + " (ssd)",
                    e);
        }
    }

    private void seal() throws IOException {
        FileChannel channel = opened(target);
        channel.truncate(sizeBytes);
        files.lastModified(copy, dataTime);
        files.force(channel);
        closeFiles();
        source = DirectIoBuffer.openDirect(files, copy, READ, NOFOLLOW_LINKS);
        position = 0;
        stage = sizeBytes == 0 ? Stage.PUBLISH : Stage.VERIFY;
    }

    private long verifyChunk() throws IOException {
        int bytes = buffer.read(opened(source), position);
        buffer.checksum(found, bytes);
        if (bytes == 0 || (advance(bytes) && found.getValue() != written.getValue())) {
            throw new IOException("The copy does not read back as it was written: " + copy + " (hdd)");
        }
        if (position == sizeBytes) {
            stage = Stage.PUBLISH;
        }
        return bytes;
    }

    private void publish() throws IOException {
        closeFiles();
        published = hasDataTime() && segment.publish(ticket, copy, dataTime.toMillis());
        stage = Stage.DONE;
    }

    /** False when somebody has set another time: the copy must not bring the old one back. */
    private boolean hasDataTime() throws IOException {
        BasicFileAttributes ssdFile = FileReads.attributes(ticket.ssdFile().path());
        return ssdFile != null && ssdFile.lastModifiedTime().equals(dataTime);
    }

    /** True at the end of the file. */
    private boolean advance(int bytes) {
        position += bytes;
        return position == sizeBytes;
    }

    private static FileChannel opened(@Nullable FileChannel channel) {
        if (channel == null) {
            throw new IllegalStateException("The file is not open");
        }
        return channel;
    }

    private void closeFiles() throws IOException {
        FileChannel from = source;
        FileChannel to = target;
        source = null;
        target = null;
        try (from;
                to) {
            // both are closed, whatever the first close throws
        }
    }

    /** Ends the copy; what was not published is removed. */
    @Override
    public void close() throws IOException {
        closeFiles();
        if (!published) {
            files.deleteIfExists(copy);
        }
    }
}
