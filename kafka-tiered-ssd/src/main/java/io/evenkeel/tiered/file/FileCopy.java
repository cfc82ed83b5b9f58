/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Copies one segment's SSD file to a file beside its link on the HDD, one bounded step at a time. Not thread safe.
 *
 * <p>When the copy is {@link Stage#COMPLETE}, it has the same bytes, length and modification time as the SSD file, is
 * on the disk, and has been read back. The caller then renames it over the link, or {@linkplain #discard discards} it.
 */
public final class FileCopy {
    /*
     * The order of the steps is the crash protocol. At any instant the link still leads to the SSD file, so a crash
     * leaves at most an unfinished copy, which the next start deletes.
     *
     * OPEN    fsync the SSD file. A direct read does not see bytes that are only in the page cache because the device
     *         could not write them; fsync reports that. Delete a copy that an earlier process left behind.
     * COPY    chunk by chunk with O_DIRECT, adding each chunk to a CRC32C.
     * SEAL    cut the padding of the last block off, set the modification time, fsync the copy.
     * VERIFY  read the copy from the disk, and compare its CRC32C.
     */

    /** The step that comes next. */
    public enum Stage {
        OPEN,
        COPY,
        SEAL,
        VERIFY,
        COMPLETE
    }

    private final FileOps files;
    private final Path ssdFile;
    private final Path copy;
    private final DirectIoBuffer buffer;
    private final boolean evacuating;
    private final CRC32C written = new CRC32C();
    private final CRC32C found = new CRC32C();

    private Stage stage = Stage.OPEN;
    private long sizeBytes;
    private long position;
    private FileTime modified = FileTime.fromMillis(0);
    private @Nullable FileChannel source;
    private @Nullable FileChannel target;

    /**
     * @param segment the path of the link; the copy is made beside it
     * @param buffer used by this copy alone until it ends
     */
    public FileCopy(FileOps files, Path ssdFile, Path segment, DirectIoBuffer buffer) {
        this(files, ssdFile, segment, buffer, false);
    }

    private FileCopy(FileOps files, Path ssdFile, Path segment, DirectIoBuffer buffer, boolean evacuating) {
        this.evacuating = evacuating;
        this.files = files;
        this.ssdFile = ssdFile;
        this.copy = SegmentFileName.withSuffix(segment, SegmentFileName.COPY_SUFFIX);
        this.buffer = buffer;
    }

    /**
     * A copy from an SSD that may no longer take writes, while no broker runs. If the SSD file cannot be flushed, its
     * newest bytes may be in the page cache only, so it is read from there: nobody has anything newer.
     */
    public static FileCopy evacuating(FileOps files, Path ssdFile, Path segment, DirectIoBuffer buffer) {
        return new FileCopy(files, ssdFile, segment, buffer, true);
    }

    /** The file that is being written. */
    public Path path() {
        return copy;
    }

    public Stage stage() {
        return stage;
    }

    /** The length of the SSD file; known after {@link Stage#OPEN}. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** The modification time that the copy has got; known after {@link Stage#OPEN}. */
    public FileTime modified() {
        return modified;
    }

    /**
     * Does the next step.
     *
     * @return the bytes that it wrote to the HDD or read back from it: one chunk at most
     * @throws CopyFailure when the SSD is to blame; any other exception speaks of the HDD or of a missing path
     */
    public long step() throws IOException {
        switch (stage) {
            case OPEN -> open();
            case COPY -> {
                return copyChunk();
            }
            case SEAL -> seal();
            case VERIFY -> {
                return verifyChunk();
            }
            case COMPLETE -> throw new IllegalStateException("The copy is complete: " + copy);
        }
        return 0;
    }

    private void open() throws IOException {
        boolean flushed;
        try (FileChannel channel = openSource()) {
            sizeBytes = channel.size();
            flushed = flush(channel);
        }
        modified = Files.getLastModifiedTime(ssdFile);
        files.deleteIfExists(copy);
        source = flushed
                ? DirectIoBuffer.openDirect(files, ssdFile, READ, NOFOLLOW_LINKS)
                : files.open(ssdFile, READ, NOFOLLOW_LINKS);
        target = DirectIoBuffer.openDirect(files, copy, CREATE_NEW, WRITE);
        stage = sizeBytes == 0 ? Stage.SEAL : Stage.COPY;
    }

    /** A file that a broker cannot open says nothing against the SSD: permission or file handles may be lacking. */
    private FileChannel openSource() throws IOException {
        try {
            return files.open(ssdFile, READ, NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw evacuating ? new CopyFailure(CopyFailure.Cause.SOURCE_UNREADABLE, e) : e;
        }
    }

    private boolean flush(FileChannel channel) throws CopyFailure {
        try {
            files.force(channel);
            return true;
        } catch (IOException e) {
            if (evacuating) {
                return false;
            }
            throw new CopyFailure(CopyFailure.Cause.SOURCE_DOUBTFUL, e);
        }
    }

    private long copyChunk() throws IOException {
        int bytes = readSource();
        int expected = (int) Math.min(DirectIoBuffer.CHUNK_BYTES, sizeBytes - position);
        if (bytes != expected) {
            throw new IOException(
                    "Read " + bytes + " instead of " + expected + " bytes at " + position + ": " + ssdFile + " (ssd)");
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
            throw new CopyFailure(
                    CopyFailure.Cause.SOURCE_UNREADABLE,
                    new IOException(
                            "Cannot read at " + position + " (" + e.getMessage() + "): " + ssdFile + " (ssd)", e));
        }
    }

    private void seal() throws IOException {
        FileChannel channel = opened(target);
        channel.truncate(sizeBytes);
        files.lastModified(copy, modified);
        files.force(channel);
        close();
        source = DirectIoBuffer.openDirect(files, copy, READ, NOFOLLOW_LINKS);
        position = 0;
        stage = sizeBytes == 0 ? Stage.COMPLETE : Stage.VERIFY;
    }

    private long verifyChunk() throws IOException {
        int bytes = buffer.read(opened(source), position);
        buffer.checksum(found, bytes);
        if (bytes == 0 || (advance(bytes) && found.getValue() != written.getValue())) {
            throw new IOException("The copy does not read back as it was written: " + copy + " (hdd)");
        }
        if (position == sizeBytes) {
            stage = Stage.COMPLETE;
        }
        return bytes;
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

    /** False when the SSD file has got another modification time since: the copy must not bring the old one back. */
    public boolean hasModifiedTimeOfSource() throws IOException {
        BasicFileAttributes attributes = FileReads.attributes(ssdFile);
        return attributes != null && attributes.lastModifiedTime().equals(modified);
    }

    /** Closes the open files; the copy stays. */
    public void close() throws IOException {
        FileChannel from = source;
        FileChannel to = target;
        source = null;
        target = null;
        try (from;
                to) {
            // both are closed, whatever the first close throws
        }
    }

    /** Closes the open files and deletes the copy. */
    public void discard() throws IOException {
        close();
        files.deleteIfExists(copy);
    }
}
