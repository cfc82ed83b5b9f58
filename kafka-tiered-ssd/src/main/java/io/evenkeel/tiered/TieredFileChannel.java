/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.coldread.ColdReads;
import io.evenkeel.tiered.coldread.ColdSend;
import io.evenkeel.tiered.coldread.PositionalReads;
import io.evenkeel.tiered.disk.SegmentReads;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.CurrentFile;
import io.evenkeel.tiered.file.DeviceFallback;
import io.evenkeel.tiered.file.UnmappedFileChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FileChannel} that can be moved to another device while it is in use. Thread safe.
 *
 * <p>Kafka keeps one channel for a segment's whole life; this is that channel. Every operation runs wholly on one
 * backing file. Reads never take a lock: they pin the file that they start on. {@code transferTo} passes straight to
 * the file's own channel, so a send stays a {@code sendfile}.
 */
public final class TieredFileChannel extends UnmappedFileChannel {
    /*
     * Ground rules
     *
     * C1  A positional read or transfer pins the backing file that it uses. A retired file is closed only when it is
     *     drained, so no operation meets a file that a move has closed under it.
     * C2  Every operation that changes bytes or the relative position holds the change lock; so does a move. A move
     *     therefore sees every earlier write, and carries the position over.
     * C3  The new file is installed before the old one is retired. A reader that fails to pin reads the current file
     *     again and finds the new one: it retries at most once per move, and never spins.
     * C4  Before bytes change, the owner is asked, under the change lock, to make the backing file the only truth.
     * C5  close() takes the change lock: when it returns, no move or publication of this segment is under way or will
     *     be.
     * C6  An operation that fails on one file is tried again only after the fallback has installed another; there are
     *     two, so it ends.
     */

    /** The segment behind a channel. Every call is made with the change lock held. */
    interface Owner {
        /** Before a write or truncation. */
        void beforeChange() throws IOException;

        /** After an append of that many bytes. */
        void wrote(long bytes);

        /** After a truncation. */
        void truncated(long sizeBytes);

        /** When the channel is closed. */
        void closed();

        /** The name of the partition's directory. The change lock is not needed. */
        String partition();
    }

    private final ReentrantLock changeLock;
    private final Owner owner;
    private final DeviceFallback fallback;
    private final SegmentReads counts;
    private final CurrentFile current;
    private final PositionalReads reads;

    TieredFileChannel(
            BackingFile file,
            ReentrantLock changeLock,
            Owner owner,
            DeviceFallback fallback,
            SegmentReads counts,
            ColdReads coldReads) {
        this.current = new CurrentFile(file);
        this.changeLock = changeLock;
        this.owner = owner;
        this.fallback = fallback;
        this.counts = counts;
        this.reads = new PositionalReads(current, fallback, counts, coldReads);
    }

    /** The device that the next operation will use. */
    public Device device() {
        return current.get().device();
    }

    @Override
    protected FileChannel file() {
        return current.get().channel();
    }

    /** The file that the next operation will use. */
    BackingFile backingFile() {
        return current.get();
    }

    /** The segment this is the channel of. */
    Owner owner() {
        return owner;
    }

    /**
     * Moves the channel to {@code next}.
     *
     * <p>Requires: the change lock is held; {@code next} holds the same bytes.
     *
     * @return the old file, for the caller to close when it is drained
     */
    BackingFile move(BackingFile next) throws IOException {
        assert changeLock.isHeldByCurrentThread();
        next.channel().position(current.get().channel().position());
        return current.replace(next);
    }

    /** As {@link PositionalReads#sendable}. */
    public long sendable(long position, long count, @Nullable ColdSend send) {
        return reads.sendable(position, count, send);
    }

    /** As {@link PositionalReads#left}, after {@link #move}. */
    void left(BackingFile file) {
        reads.left(file);
    }

    /** As {@link PositionalReads#mayWait}. */
    public boolean mayWait() {
        return reads.mayWait();
    }

    /** As {@link PositionalReads#areFromHddAlone}. */
    public boolean isOnHddAlone() {
        return reads.areFromHddAlone();
    }

    /** The name of the partition's directory. */
    public String partition() {
        return owner.partition();
    }

    /** As {@link PositionalReads#readFile}. */
    int readFile(ByteBuffer dst, long position) throws IOException {
        return reads.readFile(dst, position);
    }

    @Override
    public int read(ByteBuffer dst, long position) throws IOException {
        return (int) closedWithFile(() -> reads.read(dst, position));
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return closedWithFile(() -> reads.transferTo(position, count, target));
    }

    @Override
    public long size() throws IOException {
        return closedWithFile(() -> {
            BackingFile pinned = current.pin();
            try {
                return pinned.channel().size();
            } finally {
                pinned.unpin();
            }
        });
    }

    @Override
    public void force(boolean metaData) throws IOException {
        closedWithFile(() -> {
            while (true) {
                BackingFile pinned = current.pin();
                try {
                    pinned.channel().force(metaData);
                    return 0;
                } catch (IOException e) {
                    if (!fallback.flushFailed(pinned, e)) { // C6
                        throw e;
                    }
                } finally {
                    pinned.unpin();
                }
            }
        });
    }

    /** Runs an operation with the change lock held (C2). */
    private long locked(Operation operation) throws IOException {
        return closedWithFile(() -> {
            changeLock.lock();
            try {
                return operation.run();
            } finally {
                changeLock.unlock();
            }
        });
    }

    private long change(Operation change) throws IOException {
        return locked(() -> {
            owner.beforeChange(); // C4
            long n;
            try {
                n = change.run();
            } catch (IOException e) {
                if (!fallback.writeFailed(current.get(), e)) {
                    throw e;
                }
                n = change.run();
            }
            owner.wrote(n);
            return n;
        });
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        return (int) change(() -> file().write(src));
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        return change(() -> file().write(srcs, offset, length));
    }

    @Override
    public int write(ByteBuffer src, long position) throws IOException {
        return (int) change(() -> file().write(src, position));
    }

    @Override
    public long transferFrom(ReadableByteChannel src, long position, long count) throws IOException {
        return change(() -> file().transferFrom(src, position, count));
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        locked(() -> {
            owner.beforeChange();
            file().truncate(size);
            owner.truncated(size);
            return size;
        });
        return this;
    }

    private long readOn(Operation read) throws IOException {
        return locked(() -> {
            Device device = device();
            long position = file().position();
            long begunNanos = counts.begin(device);
            long n = read.run();
            counts.end(device, begunNanos, position, n);
            return n;
        });
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        return (int) readOn(() -> file().read(dst));
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        return readOn(() -> file().read(dsts, offset, length));
    }

    @Override
    public long position() throws IOException {
        return locked(() -> file().position());
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        locked(() -> {
            file().position(newPosition);
            return newPosition;
        });
        return this;
    }

    @Override
    protected void implCloseChannel() throws IOException {
        changeLock.lock(); // C5
        try {
            owner.closed();
            file().close();
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public String toString() {
        BackingFile file = current.get();
        return file.path() + " (" + file.device() + ")";
    }
}
