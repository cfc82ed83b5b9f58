/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/** A {@link FileChannel} that refuses all operations that would bind its user to one file. */
public abstract class UnmappedFileChannel extends FileChannel {

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
