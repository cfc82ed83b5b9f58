/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;

/**
 * Puts a copy of a segment's SSD file in the place of the link to it, while no broker runs. Not thread safe: it owns a
 * large buffer.
 *
 * <p>Force the SSD file, copy it beside the link, force the copy, compare both, rename the copy over the link. The name
 * is still to be made durable, and the SSD file stays.
 */
final class OfflineLinkCopy {
    private final FileOps files;
    private final DirectIoBuffer buffer = new DirectIoBuffer();
    private final CopyComparison comparison;

    OfflineLinkCopy(FileOps files) {
        this.files = files;
        this.comparison = new CopyComparison(files, buffer);
    }

    void replace(SurveyedSegment link) throws IOException {
        Path ssdFile = Objects.requireNonNull(link.ssdFile(), "not on an SSD");
        Path copy = SegmentFileName.withSuffix(link.path(), SegmentFileName.COPY_SUFFIX);
        files.deleteIfExists(copy);
        try {
            copy(ssdFile, copy, link.sizeBytes());
            if (comparison.firstDifference(copy, ssdFile, bytes -> {}) >= 0) {
                throw new IOException("The copy does not read back as it was written: " + copy + " (hdd)");
            }
            files.rename(copy, link.path());
        } catch (IOException e) {
            removeUnfinished(copy, e);
            throw e;
        }
    }

    private void copy(Path ssdFile, Path copy, long sizeBytes) throws IOException {
        // A direct read does not see what is only in the page cache because it could not be written: force() reports
        // that.
        try (FileChannel source = files.open(ssdFile, READ, NOFOLLOW_LINKS)) {
            files.force(source);
        }
        try (FileChannel source = DirectIoBuffer.openDirect(files, ssdFile, READ, NOFOLLOW_LINKS);
                FileChannel target = DirectIoBuffer.openDirect(files, copy, CREATE_NEW, WRITE)) {
            for (long position = 0; position < sizeBytes; ) {
                int bytes = buffer.read(source, position);
                if (bytes == 0) {
                    throw new IOException(
                            "Ends at " + position + " instead of " + sizeBytes + ": " + ssdFile + " (ssd)");
                }
                buffer.write(target, position);
                position += bytes;
            }
            target.truncate(sizeBytes);
            giveToOwnerOf(ssdFile, copy);
            files.lastModified(copy, Files.getLastModifiedTime(ssdFile));
            files.force(target);
        }
    }

    /** Whoever runs this, the broker must be able to open what it makes. */
    private static void giveToOwnerOf(Path ssdFile, Path copy) throws IOException {
        PosixFileAttributes wanted = Files.readAttributes(ssdFile, PosixFileAttributes.class);
        PosixFileAttributeView view = Files.getFileAttributeView(copy, PosixFileAttributeView.class);
        PosixFileAttributes made = view.readAttributes();
        if (!made.owner().equals(wanted.owner())) {
            view.setOwner(wanted.owner());
        }
        if (!made.group().equals(wanted.group())) {
            view.setGroup(wanted.group());
        }
        view.setPermissions(wanted.permissions());
    }

    private void removeUnfinished(Path copy, IOException cause) {
        try {
            files.deleteIfExists(copy);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
