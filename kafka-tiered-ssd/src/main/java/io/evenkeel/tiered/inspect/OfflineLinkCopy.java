/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileCopy;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;

/**
 * Replaces the link to a segment's SSD file by a copy of that file, while no broker runs. Not thread safe: it owns a
 * large buffer.
 *
 * <p>{@link FileCopy} makes the copy, as it does for the copier of a running broker; then the copy is renamed over the
 * link. The caller still makes the name durable, and the SSD file stays. Nothing is written to the SSD: a worn one may
 * take no writes.
 */
final class OfflineLinkCopy {
    private final FileOps files;
    private final DirectIoBuffer buffer = new DirectIoBuffer();

    OfflineLinkCopy(FileOps files) {
        this.files = files;
    }

    void replace(SurveyedSegment link) throws IOException {
        Path ssdFile = Objects.requireNonNull(link.ssdFile(), "not on an SSD");
        FileCopy copy = FileCopy.evacuating(files, ssdFile, link.path(), buffer);
        try {
            copy(copy, ssdFile, link.sizeBytes());
            copy.close();
            files.rename(copy.path(), link.path());
        } catch (IOException e) {
            discard(copy, e);
            throw e;
        }
    }

    private static void copy(FileCopy copy, Path ssdFile, long sizeBytes) throws IOException {
        copy.step();
        if (copy.sizeBytes() != sizeBytes) {
            throw new IOException(
                    "Ends at " + copy.sizeBytes() + " instead of " + sizeBytes + ": " + ssdFile + " (ssd)");
        }
        while (copy.stage() == FileCopy.Stage.COPY) {
            copy.step();
        }
        giveToOwnerOf(ssdFile, copy.path());
        while (copy.stage() != FileCopy.Stage.COMPLETE) {
            copy.step();
        }
    }

    /** Whichever user runs this, the broker must be able to open the copy. */
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

    private static void discard(FileCopy copy, IOException cause) {
        try {
            copy.discard();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
