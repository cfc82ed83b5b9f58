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
 * Opens a segment's file on the device it is on, or makes a new one on the device it belongs on. Thread safe.
 *
 * <p>Creation on the SSD is the first part of the crash protocol: the SSD file, its directory made durable, the link
 * under a temporary name, the rename. Kafka's own flush then makes the data and the HDD directory durable.
 */
final class SegmentFiles {
    private static final long NO_DATA_YET = Long.MAX_VALUE;
    /** Of a segment that is there. Made once: a start opens very many. */
    private static final Set<OpenOption> REAL_FILE = Set.of(READ, WRITE, NOFOLLOW_LINKS);

    private final FileOps files;
    private final List<SsdDir> ssdDirs;
    private final TierListener listener;
    /** SSD directories of partitions whose own names are durable: who made one may not have come to that. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    SegmentFiles(FileOps files, List<SsdDir> ssdDirs, TierListener listener) {
        this.files = files;
        this.ssdDirs = List.copyOf(ssdDirs);
        this.listener = listener;
    }

    /**
     * Opens a real file at {@code path} without a look at it beforehand: nearly all segments of an old log are one.
     *
     * @return null when it is not that, or cannot be opened; {@link #existing} then tells
     */
    @Nullable
    OpenedFile realFile(Path path) throws IOException {
        FileChannel channel;
        try {
            channel = files.open(path, REAL_FILE);
        } catch (IOException e) { // a link is one that has no class of its own
            return null;
        }
        return onHdd(path, channel, channel.size(), null);
    }

    /**
     * Opens what is at {@code path}.
     *
     * @param found what that is
     * @param copy what may be a complete copy on an SSD; unlinked when it differs in the slightest
     * @param promiseBytes what the segment may grow to if it is still appended to
     * @return null when the path is a link to a place that is not ours
     */
    @Nullable
    OpenedFile existing(Path path, BasicFileAttributes found, @Nullable SsdCopy copy, long promiseBytes)
            throws IOException {
        if (found.isSymbolicLink()) {
            SsdFile target = SsdFile.behind(path, ssdDirs);
            return target == null ? null : onSsd(path, SegmentState.ONLY_CACHE, target, seen(target), promiseBytes);
        }
        if (copy != null) {
            if (!copy.isOf(found)) {
                drop(copy.ssdFile(), path);
            } else {
                try {
                    return onSsd(path, SegmentState.CACHED, copy.ssdFile(), found, 0);
                } catch (NoSuchFileException evicted) {
                    // by the process before, which was about to end, since the look; the HDD file is as good
                }
            }
        }
        return onHdd(path, files.open(path, REAL_FILE), found.size(), null);
    }

    /**
     * Removes a copy that is none any more of what is, or is not, at {@code path}. That this is not the link that it
     * may have been is made durable first.
     */
    void drop(SsdFile copy, Path path) throws IOException {
        files.syncDirectory(SegmentFileName.dirOf(path));
        files.deleteIfExists(copy.path());
    }

    /** Makes a new segment on the HDD, as stock does. */
    OpenedFile newOnHdd(Path path, long preallocateBytes, HddReason reason) throws IOException {
        FileChannel channel = files.open(path, CREATE, READ, WRITE);
        preallocate(channel, preallocateBytes);
        return onHdd(path, channel, channel.size(), reason);
    }

    /**
     * Makes a new segment on {@code ssd}, behind a link at {@code path}. When it fails, neither is left behind.
     *
     * @param promiseBytes already booked with {@code ssd} for it
     */
    OpenedFile newOnSsd(Path path, SsdDir ssd, Path ssdPartition, long promiseBytes, long preallocateBytes)
            throws IOException {
        BackingFile home = createOnSsd(ssdPartition, path);
        try {
            preallocate(home.channel(), preallocateBytes);
            makeNamesDurable(ssd, ssdPartition);
            Path link = SegmentFileName.withSuffix(path, SegmentFileName.LINK_SUFFIX);
            files.deleteIfExists(link);
            files.link(link, home.path());
            files.rename(link, path);
        } catch (IOException e) {
            giveUp(path, home, e);
            throw e;
        }
        SsdFile ssdFile = new SsdFile(ssd, home.path());
        SpaceReservation booking = new SpaceReservation(ssd, promiseBytes, 0);
        return new OpenedFile(path, SegmentState.ONLY_CACHE, ssdFile, home, 0, NO_DATA_YET, booking, null);
    }

    /**
     * The file is called as its segment, with a number behind when an older file of that name still waits to be
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
                retried = true; // the empty directory of a deleted topic of the same name was removed just now
                makeDirectory(ssdPartition);
            }
        }
    }

    private void makeDirectory(Path ssdPartition) throws IOException {
        if (files.createDirectories(ssdPartition)) {
            durable.remove(ssdPartition);
        }
    }

    /** A force that fails is not believed when it succeeds later: nothing new goes to that SSD any more. */
    private void makeNamesDurable(SsdDir ssd, Path ssdPartition) throws IOException {
        try {
            files.syncDirectory(ssdPartition);
            if (!durable.contains(ssdPartition)) {
                files.syncDirectory(SegmentFileName.dirOf(ssdPartition));
                files.syncDirectory(ssd.path());
                durable.add(ssdPartition);
            }
        } catch (IOException e) {
            ssd.suspect(ssdPartition, e, listener);
            throw e;
        }
    }

    private void giveUp(Path path, BackingFile home, IOException cause) {
        try {
            home.channel().close();
            files.deleteIfExists(SegmentFileName.withSuffix(path, SegmentFileName.LINK_SUFFIX));
            if (!Files.isSymbolicLink(path)) { // S4
                files.deleteIfExists(home.path());
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private static BasicFileAttributes seen(SsdFile ssdFile) throws IOException {
        return Files.readAttributes(ssdFile.path(), BasicFileAttributes.class, NOFOLLOW_LINKS);
    }

    private OpenedFile onSsd(
            Path path, SegmentState state, SsdFile ssdFile, BasicFileAttributes seen, long promiseBytes)
            throws IOException {
        FileChannel channel = files.open(ssdFile.path(), REAL_FILE);
        BackingFile home = new BackingFile(Device.SSD, ssdFile.path(), channel);
        long sizeBytes = seen.size();
        long bookedBytes = Math.max(sizeBytes, promiseBytes);
        ssdFile.dir().book(bookedBytes, bookedBytes - sizeBytes);
        SpaceReservation booking = new SpaceReservation(ssdFile.dir(), bookedBytes, sizeBytes);
        long modifiedMs = seen.lastModifiedTime().toMillis();
        return new OpenedFile(path, state, ssdFile, home, sizeBytes, modifiedMs, booking, null);
    }

    private static OpenedFile onHdd(Path path, FileChannel channel, long sizeBytes, @Nullable HddReason reason) {
        BackingFile home = new BackingFile(Device.HDD, path, channel);
        return new OpenedFile(
                path, SegmentState.WITHOUT_CACHE, null, home, sizeBytes, NO_DATA_YET, SpaceReservation.none(), reason);
    }

    /** Gives a new file its full length, without data, as stock does with {@code log.preallocate}. */
    private static void preallocate(FileChannel channel, long bytes) throws IOException {
        if (bytes > 0) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        }
    }
}
