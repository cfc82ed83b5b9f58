/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import io.evenkeel.core.DeviceId;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/**
 * The file operations that the crash protocol is made of, and nothing else. Stateless.
 *
 * <p>Tests replace it by one that fails or tears the k-th operation.
 */
public class FileOps {
    private static final long ALMOST_FULL_BYTES = 64 << 10;

    /** Opens a file; the channel belongs to the caller. */
    public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options);
    }

    /** As {@link #open(Path, Set)}. */
    public final FileChannel open(Path file, OpenOption... options) throws IOException {
        return open(file, Set.of(options));
    }

    /** Creates a symbolic link. */
    public void link(Path link, Path target) throws IOException {
        Files.createSymbolicLink(link, target);
    }

    /** Where a symbolic link leads, as it says. */
    public Path readLink(Path link) throws IOException {
        return Files.readSymbolicLink(link);
    }

    /** Renames within one directory, atomically, over whatever has that name. */
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Deletes a file or link, never what a link points to. */
    public boolean deleteIfExists(Path file) throws IOException {
        return Files.deleteIfExists(file);
    }

    /** Deletes a directory unless something is in it. */
    public final void deleteDirectoryIfEmpty(Path dir) throws IOException {
        try {
            deleteIfExists(dir);
        } catch (DirectoryNotEmptyException e) {
            // still in use
        }
    }

    /** Sets the time that retention goes by when records carry no timestamps. */
    public void lastModified(Path file, FileTime time) throws IOException {
        Files.setLastModifiedTime(file, time);
    }

    /**
     * Creates a directory and its parents, whose names are still to be made durable.
     *
     * @return false when it was there
     */
    public boolean createDirectories(Path dir) throws IOException {
        if (Files.isDirectory(dir)) {
            return false;
        }
        Path parent = dir.getParent();
        if (parent == null) {
            throw new IOException("Cannot create a root directory: " + dir);
        }
        createDirectories(parent);
        try {
            createDirectory(dir);
        } catch (FileAlreadyExistsException e) {
            return false; // another partition's first segment was quicker
        }
        return true;
    }

    /** Creates one directory, whose name is still to be made durable. */
    public void createDirectory(Path dir) throws IOException {
        Files.createDirectory(dir);
    }

    /** Makes the names in a directory durable. */
    public void syncDirectory(Path dir) throws IOException {
        try (FileChannel channel = openDirectory(dir)) {
            channel.force(true);
        }
    }

    /** A handle that can make the names in a directory durable even after the directory has been renamed. */
    public FileChannel openDirectory(Path dir) throws IOException {
        return FileChannel.open(dir, StandardOpenOption.READ);
    }

    /** Forces a file's data and metadata, or a directory's names, to the device. */
    public void force(FileChannel channel) throws IOException {
        channel.force(true);
    }

    /**
     * What tells the device of {@code dir} from others: directories with equal answers are on one. Where the system
     * does not say, each directory is taken to be on its own.
     */
    public Object device(Path dir) {
        return DeviceId.of(dir, dir);
    }

    /** What can still be written to the file system of {@code dir}; {@link Long#MAX_VALUE} when nobody knows. */
    public long usableBytes(Path dir) {
        File file = dir.toFile(); // not Files.getFileStore: in a chroot it looks for a mount point in vain
        return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    }

    /**
     * True when a write to a file below {@code dir} failed for lack of space. The system's message may be in any
     * language, so an (almost) full file system is evidence, too.
     */
    public boolean isOutOfSpace(Path dir, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left") || message.contains("quota") || usableBytes(dir) < ALMOST_FULL_BYTES;
    }
}
