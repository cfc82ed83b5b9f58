/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Opens a segment's file on the device that has it, or creates it on the device that {@link SegmentOpening} has chosen.
 * Thread safe.
 *
 * <p>Creation on the SSD is the first part of the crash protocol: create the SSD file, make its name durable, create
 * the link under a temporary name, rename it. Kafka's own flush then makes the data and the HDD directory durable.
 */
final class SegmentFiles {
    private static final long NO_DATA_YET = Long.MAX_VALUE;
    /** For a segment that exists. Made once, because a start opens very many. */
    private static final Set<OpenOption> REAL_FILE = Set.of(READ, WRITE, NOFOLLOW_LINKS);

    private final FileOps files;
    private final List<SsdDir> ssdDirs;
    private final TierListener listener;
    /** SSD directories of partitions whose own names are known to be durable. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    SegmentFiles(FileOps files, List<SsdDir> ssdDirs, TierListener listener) {
        this.files = files;
        this.ssdDirs = List.copyOf(ssdDirs);
        this.listener = listener;
    }

    /**
     * Opens a real file at {@code path} without asking first what is there: nearly all segments of an old log are one.
     *
     * @return null when there is no real file, or it cannot be opened; {@link #existing} then finds out why
     */
    @Nullable
    OpenedFile realFile(Path path) throws IOException {
        FileChannel channel;
        try {
            channel = files.open(path, REAL_FILE);
        } catch (IOException e) { // for a link there is no exception class of its own
            return null;
        }
        return onHdd(path, channel, channel.size(), null);
    }

    /**
     * Opens the file or link at {@code path}.
     *
     * @param found its attributes
     * @param copy an SSD file that may be a complete copy; deleted when its length or time differs
     * @return null when the path is a link that does not lead to one of our SSDs
     */
    @Nullable
    OpenedFile existing(Path path, BasicFileAttributes found, @Nullable SsdCopy copy) throws IOException {
        if (found.isSymbolicLink()) {
            SsdFile target = SsdFile.behind(path, ssdDirs);
            return target == null ? null : onSsd(path, SegmentState.ONLY_CACHE, target, attributes(target));
        }
        if (copy != null) {
            if (!copy.isOf(found)) {
                drop(copy.ssdFile(), path);
            } else {
                try {
                    return onSsd(path, SegmentState.CACHED, copy.ssdFile(), found);
                } catch (NoSuchFileException evicted) {
                    // by the previous process, which was still ending after our scan; the HDD file is complete
                } catch (IOException e) {
                    listener.leftAsItIs(copy.ssdFile().path(), e);
                }
            }
        }
        return onHdd(path, files.open(path, REAL_FILE), found.size(), null);
    }

    /**
     * Deletes an SSD file that is no longer a copy of the file at {@code path}. A link that may have been there before
     * is made to stay away first, durably.
     */
    void drop(SsdFile copy, Path path) throws IOException {
        files.fsyncDirectory(SegmentFileName.dirOf(path));
        copy.remove(files, listener);
    }

    /** Creates a new segment on the HDD, as stock Kafka does. */
    OpenedFile newOnHdd(Path path, long preallocateBytes, HddReason reason) throws IOException {
        FileChannel channel = files.open(path, CREATE, READ, WRITE);
        try {
            preallocate(channel, preallocateBytes);
            return onHdd(path, channel, channel.size(), reason);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Creates a new segment on {@code ssd}, behind a link at {@code path}. When that fails, neither is left behind.
     *
     * @param reserveBytes already reserved on {@code ssd} for it
     */
    OpenedFile newOnSsd(Path path, SsdDir ssd, Path ssdPartition, long reserveBytes, long preallocateBytes)
            throws IOException {
        BackingFile backingFile = createOnSsd(ssdPartition, path);
        try {
            preallocate(backingFile.channel(), preallocateBytes);
            makeNamesDurable(ssd, ssdPartition);
            Path link = SegmentFileName.withSuffix(path, SegmentFileName.LINK_SUFFIX);
            files.deleteIfExists(link);
            files.link(link, backingFile.path());
            files.rename(link, path);
        } catch (IOException e) {
            removeCreated(path, backingFile, e);
            throw e;
        }
        SsdFile ssdFile = new SsdFile(ssd, backingFile.path());
        SpaceReservation reservation = new SpaceReservation(ssd, reserveBytes, 0);
        return new OpenedFile(path, SegmentState.ONLY_CACHE, ssdFile, backingFile, 0, NO_DATA_YET, reservation, null);
    }

    /**
     * The SSD file has the name of its segment, followed by a number when an older file of that name still waits to be
     * deleted.
     */
    private BackingFile createOnSsd(Path ssdPartition, Path path) throws IOException {
        makeDirectory(ssdPartition);
        int number = 1;
        boolean retried = false;
        while (true) {
            String name = path.getFileName() + (number == 1 ? "" : "." + number);
            Path file = ssdPartition.resolve(name);
            try {
                return new BackingFile(Device.SSD, file, files.open(file, CREATE_NEW, READ, WRITE));
            } catch (FileAlreadyExistsException e) {
                number++;
            } catch (NoSuchFileException e) {
                if (retried) {
                    throw e;
                }
                retried = true; // the empty directory of a deleted topic of the same name has just been removed
                makeDirectory(ssdPartition);
            }
        }
    }

    /** The partition is being deleted. Its directory's name is not durable any more: it goes, now or later. */
    void deleteDirectoryIfEmpty(Path ssdPartition) throws IOException {
        durable.remove(ssdPartition);
        files.deleteDirectoryIfEmpty(ssdPartition);
    }

    private void makeDirectory(Path ssdPartition) throws IOException {
        if (files.createDirectories(ssdPartition)) {
            durable.remove(ssdPartition);
        }
    }

    /** When the fsync fails, a later one that succeeds proves nothing: the SSD gets no new segments any more. */
    private void makeNamesDurable(SsdDir ssd, Path ssdPartition) throws IOException {
        fsync(ssd, ssdPartition);
        if (!durable.contains(ssdPartition)) {
            fsync(ssd, SegmentFileName.dirOf(ssdPartition));
            fsync(ssd, ssd.path());
            durable.add(ssdPartition);
        }
    }

    /** A directory that cannot be opened proves nothing: permission or file handles may be lacking. */
    private void fsync(SsdDir ssd, Path dir) throws IOException {
        try (FileChannel channel = files.openDirectory(dir)) {
            try {
                files.force(channel);
            } catch (IOException e) {
                ssd.suspect(dir, e, listener);
                throw e;
            }
        }
    }

    private void removeCreated(Path path, BackingFile backingFile, IOException cause) {
        try {
            backingFile.channel().close();
            files.deleteIfExists(SegmentFileName.withSuffix(path, SegmentFileName.LINK_SUFFIX));
            if (!Files.isSymbolicLink(path)) { // S4
                files.deleteIfExists(backingFile.path());
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private static BasicFileAttributes attributes(SsdFile ssdFile) throws IOException {
        return Files.readAttributes(ssdFile.path(), BasicFileAttributes.class, NOFOLLOW_LINKS);
    }

    private OpenedFile onSsd(Path path, SegmentState state, SsdFile ssdFile, BasicFileAttributes attributes)
            throws IOException {
        FileChannel channel = files.open(ssdFile.path(), REAL_FILE);
        BackingFile backingFile = new BackingFile(Device.SSD, ssdFile.path(), channel);
        long sizeBytes = attributes.size();
        ssdFile.dir().addReserved(sizeBytes, 0);
        SpaceReservation reservation = new SpaceReservation(ssdFile.dir(), sizeBytes, sizeBytes);
        long modifiedMs = attributes.lastModifiedTime().toMillis();
        return new OpenedFile(path, state, ssdFile, backingFile, sizeBytes, modifiedMs, reservation, null);
    }

    private static OpenedFile onHdd(Path path, FileChannel channel, long sizeBytes, @Nullable HddReason reason) {
        BackingFile backingFile = new BackingFile(Device.HDD, path, channel);
        return new OpenedFile(
                path,
                SegmentState.WITHOUT_CACHE,
                null,
                backingFile,
                sizeBytes,
                NO_DATA_YET,
                SpaceReservation.none(),
                reason);
    }

    /** Gives a new file its full length, without data, as stock Kafka does with {@code log.preallocate}. */
    private static void preallocate(FileChannel channel, long bytes) throws IOException {
        if (bytes > 0) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        }
    }
}
