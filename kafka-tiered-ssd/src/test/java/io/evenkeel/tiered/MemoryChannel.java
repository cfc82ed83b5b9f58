/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open {@link MemoryFile}, a byte an operation. Thread safe but for its position. */
final class MemoryChannel extends FileChannel {
    private final MemoryFile file;
    private final Runnable step;
    private volatile boolean closed;
    private long position;

    /** @param step done before each operation */
    MemoryChannel(MemoryFile file, Runnable step) {
        this.file = file;
        this.step = step;
    }

    private MemoryFile open() throws IOException {
        step.run();
        if (closed) {
            throw new ClosedChannelException();
        }
        return file;
    }

    @Override
    public int read(ByteBuffer dst, long from) throws IOException {
        int found = open().at(from);
        if (found >= 0) {
            dst.put((byte) found);
        }
        return found < 0 ? -1 : 1;
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        open().put(position, src.get());
        position++;
        return 1;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        open().truncate(size);
        position = Math.min(position, size);
        return this;
    }

    @Override
    public long size() throws IOException {
        return open().size();
    }

    @Override
    public long position() throws IOException {
        open();
        return position;
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        open();
        position = newPosition;
        return this;
    }

    @Override
    public void force(boolean metaData) {}

    @Override
    protected void implCloseChannel() {
        closed = true;
    }

    @Override
    public int read(ByteBuffer dst) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer src, long at) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel src, long at, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
