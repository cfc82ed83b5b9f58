/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one segment that the cold reader of its HDD serves: those of a sealed segment that is on the HDD alone,
 * where the page cache does not have the bytes. Thread safe.
 */
public final class ColdReads implements ColdFile.Source {
    /** The segment. */
    public interface Owner {
        /** Its path, when that names it for sure, and goes on to while the lock is held; else null. */
        @Nullable
        Path certainPath();

        /** Reads its file as it is open. */
        int readFile(ByteBuffer dst, long position) throws IOException;
    }

    /*
     * K1  The cold reader reads a segment only between seal() and changes(): so its chunks never hold bytes that Kafka
     *     has replaced. changes() runs before the bytes change.
     * K2  Whether the page cache has the bytes is asked with the segment's lock held, under which no file shrinks.
     */

    private final Owner segment;
    private final ReentrantLock lock;
    private final FileOps files;
    private final ColdReader reader;
    private final AtomicReference<@Nullable ColdFile> file = new AtomicReference<>();
    private volatile boolean sealed;

    /** @param lock the segment's */
    public ColdReads(Owner segment, ReentrantLock lock, FileOps files, ColdReader reader) {
        this.segment = segment;
        this.lock = lock;
        this.files = files;
        this.reader = reader;
    }

    /** Nothing is appended to the segment any more, unless Kafka truncates the log. */
    public void seal() {
        sealed = true;
    }

    /** The bytes are about to change, or the segment is closed (K1). */
    public void changes() {
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
    private @Nullable ColdFile file(BackingFile pinned) {
        if (!sealed || pinned.device() == Device.SSD || !reader.isOn()) {
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
     * How many of the bytes can be sent now without waiting for the HDD; when none can, they will be read.
     *
     * @param send woken once when 0 is returned. Null: nothing is read
     */
    public long sendable(BackingFile pinned, long position, long count, @Nullable ColdSend send) {
        ColdFile cold = file(pinned);
        if (cold == null) {
            return count;
        }
        if (send != null && reader.delays(send)) {
            return 0;
        }
        long there = reader.inMemory(cold, position, count);
        if (there > 0) {
            return there;
        }
        long most = Math.min(count, PositionalReads.LONGEST_TRANSFER_BYTES);
        if (isResident(pinned, position, most)) {
            return most;
        }
        return send == null ? 0 : reader.request(cold, position, count, send);
    }

    /** As {@link FileChannel#read(ByteBuffer, long)}; {@link ColdReader#NOT_THERE}: read the file itself. */
    public int read(BackingFile pinned, ByteBuffer dst, long position) throws IOException {
        ColdFile cold = file(pinned);
        if (cold == null || !dst.hasRemaining()) {
            return ColdReader.NOT_THERE;
        }
        int n = reader.read(cold, position, dst);
        if (n == ColdReader.NOT_THERE && HeaderReads.isOn() && !isResident(pinned, position, dst.remaining())) {
            HeaderReads.waits();
            reader.await(cold, position);
            n = reader.read(cold, position, dst);
        }
        return n;
    }

    /** Whether a client that reads this segment now may need the HDD. */
    public boolean isOnHddAlone(BackingFile current) {
        return sealed && current.device() == Device.HDD && reader.isOn();
    }

    /** As {@link FileChannel#transferTo}; {@link ColdReader#NOT_THERE}: transfer from the file itself. */
    public long send(BackingFile pinned, long position, long count, WritableByteChannel target) throws IOException {
        ColdFile cold = file(pinned);
        return cold == null ? ColdReader.NOT_THERE : reader.send(cold, position, count, target);
    }

    /** Does not wait for the lock: another holder may wait for the disk. */
    private boolean isResident(BackingFile pinned, long position, long most) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return files.isResident(pinned.channel(), position, most); // K2
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable FileChannel openDirect() {
        lock.lock();
        try {
            Path path = segment.certainPath();
            return path == null
                    ? null
                    : DirectIoBuffer.openDirect(files, path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return null; // the file that is open already has to do
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int readBuffered(ByteBuffer dst, long position) throws IOException {
        return segment.readFile(dst, position);
    }
}
