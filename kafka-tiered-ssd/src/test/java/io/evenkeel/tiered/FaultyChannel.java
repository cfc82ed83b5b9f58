/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A real file whose device fails when the test says so. */
public final class FaultyChannel extends FileChannel {
    /**
     * Called before an operation: {@code read}, {@code write}, {@code truncate} or {@code force}; throws when it fails.
     */
    public interface Device {
        void before(String operation) throws IOException;

        /** True when the write under way gets half of its bytes to the device, and then fails. */
        default boolean isTorn() {
            return false;
        }

        /**
         * Makes what was written durable. Unless power is cut, nobody could tell, so it only counts and takes no time.
         */
        default void force(FileChannel file, boolean metaData) throws IOException {
            before("force");
        }
    }

    private static final int BLOCK_BYTES = 4096;

    private final FileChannel file;
    private final Device device;

    public FaultyChannel(FileChannel file, Device device) {
        this.file = file;
        this.device = device;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        device.before("read");
        return file.read(dst);
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        device.before("read");
        return file.read(dsts, offset, length);
    }

    @Override
    public int read(ByteBuffer dst, long position) throws IOException {
        device.before("read");
        return file.read(dst, position);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        device.before("read");
        return file.transferTo(position, count, target);
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        device.before("write");
        if (device.isTorn()) {
            file.write(firstHalf(src));
            throw new IOException("made to fail in the middle of a write");
        }
        return file.write(src);
    }

    /** Whole blocks if there are any, as direct writes need. */
    private static ByteBuffer firstHalf(ByteBuffer bytes) {
        int half = bytes.remaining() / 2;
        return bytes.limit(bytes.position() + (half < BLOCK_BYTES ? half : half / BLOCK_BYTES * BLOCK_BYTES));
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        device.before("write");
        return file.write(srcs, offset, length);
    }

    @Override
    public int write(ByteBuffer src, long position) throws IOException {
        device.before("write");
        if (device.isTorn()) {
            file.write(firstHalf(src), position);
            throw new IOException("made to fail in the middle of a write");
        }
        return file.write(src, position);
    }

    @Override
    public long transferFrom(ReadableByteChannel src, long position, long count) throws IOException {
        device.before("write");
        return file.transferFrom(src, position, count);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        device.force(file, metaData);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        device.before("truncate");
        file.truncate(size);
        return this;
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        file.position(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return file.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return file.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
