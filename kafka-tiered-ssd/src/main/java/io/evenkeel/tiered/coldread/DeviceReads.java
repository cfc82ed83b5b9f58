/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one segment that the cold reader of one of its devices serves: those of the sealed segment while it is
 * read from this device, where the page cache does not have the bytes. Thread safe.
 */
final class DeviceReads implements ColdFile.Source {
    /*
     * K1  The cold reader reads a segment only between seal() and changes(): so its chunks never hold bytes that Kafka
     *     has replaced. changes() runs before the bytes change.
     * K2  Whether the page cache has the bytes is asked with the segment's lock held, under which no file shrinks.
     */

    /** Longer than some other threads' questions to the kernel take. */
    private static final long LONGEST_QUESTION_MS = 1;

    private final Device device;
    private final ColdReads.Owner segment;
    private final ReentrantLock lock;
    private final FileOps files;
    private final ColdReader reader;
    private final AtomicReference<@Nullable ColdFile> file = new AtomicReference<>();
    private volatile boolean sealed;

    /** @param lock the segment's */
    DeviceReads(Device device, ColdReads.Owner segment, ReentrantLock lock, FileOps files, ColdReader reader) {
        this.device = device;
        this.segment = segment;
        this.lock = lock;
        this.files = files;
        this.reader = reader;
    }

    /** Nothing is appended to the segment any more, unless Kafka truncates the log. */
    void seal() {
        sealed = true;
    }

    /** The bytes are about to change, or the segment is closed (K1), or its channel has left the device. */
    void changes() {
        if (sealed) {
            sealed = false;
            forget();
        }
    }

    private void forget() {
        ColdFile known = file.getAndSet(null);
        if (known != null) {
            reader.forget(known);
        }
    }

    /** Null when the reader does not read this segment now. */
    private @Nullable ColdFile file() {
        if (!mayWait()) {
            return null;
        }
        ColdFile known = file.get();
        if (known != null) {
            return known;
        }
        ColdFile created = new ColdFile(this);
        boolean isFirst = file.compareAndSet(null, created);
        if (!sealed) {
            forget(); // changes() may have run before there was anything to forget
            return null;
        }
        return isFirst ? created : file.get();
    }

    /**
     * How many of the bytes can be sent now without waiting for the device; when none can, they will be read.
     *
     * @param send woken once when 0 is returned. Null: nothing is read
     */
    long sendable(BackingFile pinned, long position, long count, @Nullable ColdSend send) {
        ColdFile cold = file();
        if (cold == null) {
            return count;
        }
        if (send != null && device == Device.HDD && reader.delays(send)) {
            return 0;
        }
        long held = HeldChunk.hold(segment, reader, cold, position, count);
        if (held > 0) {
            return held;
        }
        long most = Math.min(Math.min(count, PositionalReads.LONGEST_TRANSFER_BYTES), ResidentParts.toEnd(position));
        if (isPartResident(cold, pinned, position) || isResident(pinned, position, most)) {
            return most;
        }
        return send == null ? 0 : reader.request(cold, position, count, send);
    }

    /** One question for many sends: it takes a good part of the time that a send of 128 KiB takes. */
    private boolean isPartResident(ColdFile cold, BackingFile pinned, long position) {
        long part = ResidentParts.part(position);
        long nowNanos = reader.nowNanos();
        if (cold.resident().has(part, nowNanos)) {
            return true;
        }
        boolean isResident = isResident(pinned, part * ResidentParts.PART_BYTES, ResidentParts.PART_BYTES);
        if (isResident) {
            cold.resident().add(part, nowNanos);
        }
        return isResident;
    }

    /** As {@link FileChannel#read(ByteBuffer, long)}; {@link ColdReader#NOT_THERE}: read the file itself. */
    int read(BackingFile pinned, ByteBuffer dst, long position) throws IOException {
        ColdFile cold = file();
        if (cold == null || !dst.hasRemaining()) {
            return ColdReader.NOT_THERE;
        }
        int n = reader.read(cold, position, dst);
        boolean isThere = n != ColdReader.NOT_THERE;
        if (isHeader() && (isThere || !isResident(pinned, position, dst.remaining()))) {
            HeaderReads.needHdd();
            if (!isThere) {
                reader.await(cold, position);
                return reader.read(cold, position, dst);
            }
        }
        return n;
    }

    /** Whether a send may have to wait for the device. */
    boolean mayWait() {
        return sealed && reader.isOn();
    }

    /** A header from an HDD: an SSD has given its few bytes before it could give a chunk. */
    private boolean isHeader() {
        return device == Device.HDD && HeaderReads.isOn();
    }

    private boolean isResident(BackingFile pinned, long position, long most) {
        if (!tryLock()) {
            return false;
        }
        try {
            return files.isResident(pinned.channel(), position, most); // K2
        } finally {
            lock.unlock();
        }
    }

    /** Waits for others who ask the kernel, but not for a holder that waits for a disk, which may be another one. */
    private boolean tryLock() {
        try {
            return lock.tryLock(LONGEST_QUESTION_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public @Nullable FileChannel openDirect() throws IOException {
        if (!tryLock()) {
            return null;
        }
        try {
            Path path = segment.certainPath(device);
            if (path == null && device == Device.SSD) {
                throw new IOException("The segment has left the SSD, and nobody waits for these chunks any more.");
            }
            return path == null ? null : open(path);
        } finally {
            lock.unlock();
        }
    }

    /** Null when that fails: the file that is open already has to do. */
    private @Nullable FileChannel open(Path path) {
        try {
            return DirectIoBuffer.openDirect(files, path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public int readBuffered(ByteBuffer dst, long position) throws IOException {
        return segment.readFile(dst, position);
    }
}
