/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.DeviceFallback;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The answer of one segment to a device that fails: it goes on with the other device, or reports that it cannot. Thread
 * safe.
 */
final class Failover implements DeviceFallback {
    private final Segment segment;
    private final ReentrantLock lock;
    private final FileOps files;
    private final TierListener listener;

    Failover(Segment segment, ReentrantLock lock, FileOps files, TierListener listener) {
        this.segment = segment;
        this.lock = lock;
        this.files = files;
        this.listener = listener;
    }

    /** Moves the segment to the HDD when the SSD is full in the middle of an append: the append then goes on there. */
    @Override
    public boolean writeFailed(BackingFile failing, IOException failure) {
        if (failure instanceof ClosedChannelException) {
            return false; // the thread was interrupted
        }
        SsdFile onSsd = segment.storage().ssdFile();
        if (onSsd == null) {
            failed(failing);
            return false;
        }
        if (!files.isOutOfSpace(onSsd.dir().path(), failure)) {
            failed(failing);
            onSsd.dir().suspect(onSsd.path(), failure, listener);
            return false;
        }
        try {
            MoveToHdd.move(segment, Spill.toHdd(files, failing, segment.name()));
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        }
        segment.storage().spilled();
        onSsd.dir().spilled();
        listener.spilled(segment.path(), segment.storage().sizeBytes());
        return true;
    }

    @Override
    public boolean readFailed(BackingFile failing, long position, IOException failure) {
        if (!failing.failsAt(position)) {
            return false; // the other end of the connection failed
        }
        failed(failing);
        if (leaveSsd(failing, failure)) {
            return true;
        }
        if (segment.name().isLive()) { // else only the present reader needs it
            Path logDir = segment.logDir().path();
            if (failing.device() == Device.HDD && !segment.life().isActive()) {
                listener.unreadable(logDir, failing.path(), failure);
            } else { // without its newest records, the broker must not stay their leader
                listener.storageError(logDir, failing.path(), failure);
            }
        }
        return false;
    }

    /** After a failed fsync no later one is trusted, even if it succeeds: the kernel may have dropped pages. */
    @Override
    public boolean flushFailed(BackingFile failing, IOException failure) {
        if (failure instanceof ClosedChannelException) {
            // This thread was interrupted, or another one while it read a file that has been left meanwhile.
            return failing != segment.channel().backingFile();
        }
        failed(failing);
        if (leaveSsd(failing, failure)) {
            return true;
        }
        segment.life().quarantine();
        return false;
    }

    private void failed(BackingFile failing) {
        segment.logDir().hdd().counts().failed(failing.device());
    }

    /** Goes on with the complete HDD file (S6); false when there is none. */
    private boolean leaveSsd(BackingFile failing, IOException failure) {
        lock.lock();
        try {
            if (failing != segment.channel().backingFile()) {
                return true; // another thread has moved the segment meanwhile
            }
            SsdFile onSsd = segment.storage().ssdFile();
            if (onSsd == null || segment.life().isClosed()) {
                return false;
            }
            onSsd.dir().suspect(onSsd.path(), failure, listener);
            if (segment.state() != SegmentState.CACHED || !segment.name().isLive()) { // S7
                return false;
            }
            segment.durability().makeDurable();
            MoveToHdd.move(segment, segment.name().open());
            return true;
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        } finally {
            lock.unlock();
        }
    }
}
