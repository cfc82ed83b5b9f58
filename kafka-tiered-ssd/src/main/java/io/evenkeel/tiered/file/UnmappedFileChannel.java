/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/**
 * A {@link FileChannel} on a file that is replaced by others. It refuses all operations that would bind its user to one
 * of them, and is closed with the file that it is on. Thread safe.
 */
public abstract class UnmappedFileChannel extends FileChannel {

    /** Works on the file, and returns a number of bytes or a position. */
    protected interface Operation {
        long run() throws IOException;
    }

    /** The file that the next operation will use. */
    protected abstract FileChannel file();

    /**
     * Runs an operation. An interrupt closes the file that its thread uses, and this channel is then closed as well.
     *
     * <p>Requires: no lock is held that closing this channel takes.
     */
    protected final long closedWithFile(Operation operation) throws IOException {
        try {
            return operation.run();
        } catch (ClosedChannelException e) {
            if (!file().isOpen()) {
                close();
            }
            throw e;
        }
    }

    /** Not supported: a mapping would outlive a move. Kafka maps index files only. */
    @Override
    public final MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("A log segment that can change its device cannot be mapped: " + this);
    }

    /** Not supported: a lock would be lost by a move. Kafka locks its directories only. */
    @Override
    public final FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("A log segment that can change its device cannot be locked: " + this);
    }

    /** Not supported, as {@link #lock(long, long, boolean)}. */
    @Override
    public final FileLock tryLock(long position, long size, boolean shared) {
        return lock(position, size, shared);
    }
}
