/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import io.evenkeel.core.DeviceId;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/**
 * The file operations of the crash protocol, and no others. Stateless.
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

    /** The target of a symbolic link, as it is written there. */
    public Path readLink(Path link) throws IOException {
        return Files.readSymbolicLink(link);
    }

    /** Renames within one directory, atomically; replaces a file of that name. */
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Deletes a file or link, never the target of a link. */
    public boolean deleteIfExists(Path file) throws IOException {
        return Files.deleteIfExists(file);
    }

    /** Deletes a directory unless it has files in it. Whatever else has this name stays: it is somebody's. */
    public final void deleteDirectoryIfEmpty(Path dir) throws IOException {
        if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            deleteIfExists(dir);
        } catch (DirectoryNotEmptyException e) {
            // still in use
        }
    }

    /** Sets the modification time, which retention uses when records carry no timestamps. */
    public void lastModified(Path file, FileTime time) throws IOException {
        Files.setLastModifiedTime(file, time);
    }

    /**
     * Creates a directory and its parents; the caller makes their names durable.
     *
     * @return false when it existed
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

    /** Creates one directory; the caller makes its name durable. */
    public void createDirectory(Path dir) throws IOException {
        Files.createDirectory(dir);
    }

    /** Makes the names in a directory durable. */
    public void fsyncDirectory(Path dir) throws IOException {
        try (FileChannel channel = openDirectory(dir)) {
            channel.force(true);
        }
    }

    /** A handle that can make the names in a directory durable even after the directory has been renamed. */
    public FileChannel openDirectory(Path dir) throws IOException {
        return FileChannel.open(dir, StandardOpenOption.READ);
    }

    /** As {@link PageResidency#isResident}. */
    public boolean isResident(FileChannel channel, long position, long most) {
        return PageResidency.isResident(channel, position, most);
    }

    /** Calls fsync: a file's data and metadata, or a directory's names, are on the device afterwards. */
    public void force(FileChannel channel) throws IOException {
        channel.force(true);
    }

    /**
     * A key for the device of {@code dir}: directories with equal keys are on one device. Where the system does not
     * say, each directory counts as a device of its own.
     */
    public Object device(Path dir) {
        return DeviceId.of(dir, dir);
    }

    /** The free bytes of the file system of {@code dir}; {@link Long#MAX_VALUE} when the system does not say. */
    public long usableBytes(Path dir) {
        File file = dir.toFile(); // not Files.getFileStore: in a chroot it looks for a mount point in vain
        return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    }

    /** The size that the file system of {@code dir} wants direct I/O to be a multiple of; 1 when it does not say. */
    public long blockBytes(Path dir) {
        try {
            return Files.getFileStore(dir).getBlockSize();
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return 1; // in a chroot, Java looks for the mount point in vain
        }
    }

    /**
     * True when a write to a file below {@code dir} failed for lack of space. The system's message may be in any
     * language, so an almost full file system counts as evidence as well.
     */
    public boolean isOutOfSpace(Path dir, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left") || message.contains("quota") || usableBytes(dir) < ALMOST_FULL_BYTES;
    }
}
