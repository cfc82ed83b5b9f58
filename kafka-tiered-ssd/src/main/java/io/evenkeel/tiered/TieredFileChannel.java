/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.disk.ReadStats;
import io.evenkeel.tiered.file.BackingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link FileChannel} that can be moved to another device while it is in use. Thread safe.
 *
 * <p>Kafka keeps one channel for a segment's whole life; this is that channel. Every operation runs wholly on one home.
 * Reads never take a lock: they pin the home they start on. {@code transferTo} passes straight to the home's own
 * channel, so a send stays a {@code sendfile}.
 */
public final class TieredFileChannel extends FileChannel {
    /*
     * Ground rules
     *
     * C1  A positional read or transfer pins the home it uses. A retired home is closed only when it is drained, so no
     *     operation meets a file that was closed under it by a move.
     * C2  Whatever changes bytes or the relative position holds the change lock; so does a move. A move therefore sees
     *     every earlier write, and carries the position over.
     * C3  The new home is installed before the old one is retired. A reader that fails to pin reads `home` again and finds
     *     the new one: it retries at most once per move, and nobody spins.
     * C4  Before bytes change, the owner is asked, under the change lock, to make the home the only truth.
     * C5  close() takes the change lock: when it returns, no move or publication of this segment is under way or will be.
     * C6  What fails on one home is tried again only after the fallback has installed another; there are two, so it ends.
     */

    /** The segment behind a channel. Every call is made with the change lock held. */
    interface Owner {
        /** Before a write or truncation. */
        void beforeChange() throws IOException;

        /** After an append of so many bytes. */
        void wrote(long bytes);

        /** After a truncation. */
        void truncated(long sizeBytes);

        /** When the channel is closed. */
        void closed();
    }

    /**
     * Knows what to do when an operation fails: each answers whether to try again, on another home that it has
     * installed.
     */
    interface Fallback {
        /** A change failed and changed nothing. Called with the change lock held. */
        boolean writeFailed(BackingFile home, IOException failure);

        /** A read failed. Called without the lock, with the home pinned. */
        boolean readFailed(BackingFile home, long position, IOException failure);

        /** A force failed. Called without the lock, with the home pinned. */
        boolean forceFailed(BackingFile home, IOException failure);
    }

    /**
     * The most that one transfer sends. A socket with room for a whole fetch would keep its network thread for
     * megabytes, and whoever shares the thread waits; so a send gives way after this, and goes on when the others have
     * had their turn.
     */
    static final long LONGEST_TRANSFER_BYTES = 128 << 10;

    private final ReentrantLock changeLock;
    private final Owner owner;
    private final Fallback fallback;
    private final ReadStats counts;
    private volatile BackingFile home;

    TieredFileChannel(BackingFile home, ReentrantLock changeLock, Owner owner, Fallback fallback, ReadStats counts) {
        this.home = home;
        this.changeLock = changeLock;
        this.owner = owner;
        this.fallback = fallback;
        this.counts = counts;
    }

    /** The device that the next operation will use. */
    public Device device() {
        return home.device();
    }

    /** Where the next operation goes. */
    BackingFile home() {
        return home;
    }

    /** The segment this is the channel of. */
    Owner owner() {
        return owner;
    }

    /**
     * Installs {@code next} and retires the home there was.
     *
     * <p>Requires: the change lock is held; {@code next} holds the same bytes.
     *
     * @return the old home, for the caller to close when it is drained
     */
    BackingFile move(BackingFile next) throws IOException {
        assert changeLock.isHeldByCurrentThread();
        BackingFile old = home;
        next.channel().position(old.channel().position());
        home = next; // C3
        old.retire();
        return old;
    }

    private BackingFile pin() {
        while (true) {
            BackingFile current = home;
            if (current.tryPin()) {
                return current;
            }
        }
    }

    @Override
    public int read(ByteBuffer dst, long position) throws IOException {
        while (true) {
            BackingFile pinned = pin();
            try {
                long begunNanos = counts.begin(pinned.device());
                int n = pinned.channel().read(dst, position);
                counts.end(pinned.device(), begunNanos, n);
                return n;
            } catch (IOException e) {
                if (!fallback.readFailed(pinned, position, e)) { // C6
                    throw e;
                }
            } finally {
                pinned.unpin();
            }
        }
    }

    /**
     * Transfers at most {@value #LONGEST_TRANSFER_BYTES} bytes, as the caller of any {@code transferTo} has to expect.
     */
    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        long bytes = Math.min(count, LONGEST_TRANSFER_BYTES);
        while (true) {
            BackingFile pinned = pin();
            try {
                long begunNanos = counts.begin(pinned.device());
                long n = pinned.channel().transferTo(position, bytes, target);
                counts.end(pinned.device(), begunNanos, n);
                return n;
            } catch (IOException e) {
                if (!fallback.readFailed(pinned, position, e)) {
                    throw e;
                }
            } finally {
                pinned.unpin();
            }
        }
    }

    @Override
    public long size() throws IOException {
        BackingFile pinned = pin();
        try {
            return pinned.channel().size();
        } finally {
            pinned.unpin();
        }
    }

    @Override
    public void force(boolean metaData) throws IOException {
        while (true) {
            BackingFile pinned = pin();
            try {
                pinned.channel().force(metaData);
                return;
            } catch (IOException e) {
                if (!fallback.forceFailed(pinned, e)) {
                    throw e;
                }
            } finally {
                pinned.unpin();
            }
        }
    }

    /** Writes to a home's channel; answers how many bytes. */
    @FunctionalInterface
    private interface Change {
        long run(FileChannel channel) throws IOException;
    }

    private long change(Change change) throws IOException {
        changeLock.lock();
        try {
            owner.beforeChange(); // C4
            long n;
            try {
                n = change.run(home.channel());
            } catch (IOException e) {
                if (!fallback.writeFailed(home, e)) {
                    throw e;
                }
                n = change.run(home.channel());
            }
            owner.wrote(n);
            return n;
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        return (int) change(channel -> channel.write(src));
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        return change(channel -> channel.write(srcs, offset, length));
    }

    @Override
    public int write(ByteBuffer src, long position) throws IOException {
        return (int) change(channel -> channel.write(src, position));
    }

    @Override
    public long transferFrom(ReadableByteChannel src, long position, long count) throws IOException {
        return change(channel -> channel.transferFrom(src, position, count));
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        changeLock.lock();
        try {
            owner.beforeChange();
            home.channel().truncate(size);
            owner.truncated(size);
            return this;
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        changeLock.lock();
        try {
            long begunNanos = counts.begin(home.device());
            int n = home.channel().read(dst);
            counts.end(home.device(), begunNanos, n);
            return n;
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        changeLock.lock();
        try {
            long begunNanos = counts.begin(home.device());
            long n = home.channel().read(dsts, offset, length);
            counts.end(home.device(), begunNanos, n);
            return n;
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public long position() throws IOException {
        changeLock.lock();
        try {
            return home.channel().position();
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        changeLock.lock();
        try {
            home.channel().position(newPosition);
            return this;
        } finally {
            changeLock.unlock();
        }
    }

    /** Not supported: a mapping would outlive a move. Kafka maps index files only. */
    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("A log segment that can change its device cannot be mapped: " + this);
    }

    /** Not supported: a lock would be lost by a move. Kafka locks its directories only. */
    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("A log segment that can change its device cannot be locked: " + this);
    }

    /** Not supported, as {@link #lock(long, long, boolean)}. */
    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        return lock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        changeLock.lock(); // C5
        try {
            owner.closed();
            home.channel().close();
        } finally {
            changeLock.unlock();
        }
    }

    @Override
    public String toString() {
        BackingFile current = home;
        return current.path() + " (" + current.device() + ")";
    }
}
