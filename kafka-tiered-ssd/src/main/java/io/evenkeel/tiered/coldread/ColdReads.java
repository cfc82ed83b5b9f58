/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one segment that the cold readers of its devices serve, each those of its own device. Thread safe.
 *
 * <p>A segment that was ever on an SSD begins there, and leaves it once.
 */
public final class ColdReads {
    /** The segment. */
    public interface Owner {
        /** Its path on a device, when that names it for sure, and goes on to while the lock is held; else null. */
        @Nullable
        Path certainPath(Device device);

        /** Reads its file as it is open. */
        int readFile(ByteBuffer dst, long position) throws IOException;
    }

    private final Owner segment;
    private final DeviceReads onHdd;
    private final @Nullable DeviceReads onSsd;

    /**
     * @param lock the segment's
     * @param ssdFile null when the segment begins on the HDD
     */
    public ColdReads(
            Owner segment, ReentrantLock lock, FileOps files, ColdReaders readers, Hdd hdd, @Nullable SsdFile ssdFile) {
        this.segment = segment;
        this.onHdd = new DeviceReads(Device.HDD, segment, lock, files, readers.of(hdd));
        this.onSsd =
                ssdFile == null ? null : new DeviceReads(Device.SSD, segment, lock, files, readers.of(ssdFile.dir()));
    }

    private DeviceReads on(BackingFile file) {
        return onSsd != null && file.device() == Device.SSD ? onSsd : onHdd;
    }

    /** Nothing is appended to the segment any more, unless Kafka truncates the log. */
    public void seal() {
        onHdd.seal();
        if (onSsd != null) {
            onSsd.seal();
        }
    }

    /** The bytes are about to change, or the segment is closed (K1). */
    public void changes() {
        onHdd.changes();
        if (onSsd != null) {
            onSsd.changes();
        }
    }

    /** The channel has left this file for one on another device. */
    public void left(BackingFile file) {
        on(file).changes();
    }

    /**
     * How many of the bytes can be sent now without waiting for the device; when none can, they will be read.
     *
     * @param send woken once when 0 is returned. Null: nothing is read
     */
    public long sendable(BackingFile pinned, long position, long count, @Nullable ColdSend send) {
        return on(pinned).sendable(pinned, position, count, send);
    }

    /** As {@link FileChannel#read(ByteBuffer, long)}; {@link ColdReader#NOT_THERE}: read the file itself. */
    public int read(BackingFile pinned, ByteBuffer dst, long position) throws IOException {
        int held = HeldChunk.read(segment, position, dst);
        return held != ColdReader.NOT_THERE ? held : on(pinned).read(pinned, dst, position);
    }

    /** As {@link FileChannel#transferTo}; {@link ColdReader#NOT_THERE}: transfer from the file itself. */
    public long send(long position, long count, WritableByteChannel target) throws IOException {
        return HeldChunk.send(segment, position, count, target);
    }

    /** Whether a send may have to wait for the device that the segment is read from now. */
    public boolean mayWait(BackingFile current) {
        return on(current).mayWait();
    }

    /** Whether a client that reads this segment now may need the HDD. */
    public boolean isOnHddAlone(BackingFile current) {
        return current.device() == Device.HDD && onHdd.mayWait();
    }
}
