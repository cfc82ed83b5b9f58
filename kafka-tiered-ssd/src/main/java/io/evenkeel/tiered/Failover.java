/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;

/** What one segment does when a device fails it: it goes on with the other one, or says that it cannot. Thread safe. */
final class Failover implements TieredFileChannel.Fallback {
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

    /** Moves to the HDD when the SSD is full, in the middle of an append: the append then goes on there. */
    @Override
    public boolean writeFailed(BackingFile home, IOException failure) {
        SsdFile onSsd = segment.ssdFile();
        if (onSsd == null) {
            failed(home);
            return false;
        }
        if (!files.isOutOfSpace(onSsd.dir().path(), failure)) {
            failed(home);
            if (!(failure instanceof ClosedChannelException)) { // the writer was interrupted
                onSsd.dir().suspect(onSsd.path(), failure, listener);
            }
            return false;
        }
        try {
            segment.moveTo(Spill.toHdd(files, home, segment.name()));
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        }
        segment.spilled();
        onSsd.dir().spilled();
        listener.spilled(segment.path(), segment.sizeBytes());
        return true;
    }

    @Override
    public boolean readFailed(BackingFile home, long position, IOException failure) {
        if (!home.failsAt(position)) {
            return false; // the other end of the connection
        }
        failed(home);
        if (leaveSsd(home, failure)) {
            return true;
        }
        if (segment.name().isLive()) { // else nobody needs it but who is reading it
            listener.storageError(segment.logDir().path(), home.path(), failure);
        }
        return false;
    }

    /** A force that failed is never believed again, even if the next one succeeds: pages may have been dropped. */
    @Override
    public boolean forceFailed(BackingFile home, IOException failure) {
        failed(home);
        if (leaveSsd(home, failure)) {
            return true;
        }
        segment.quarantine();
        return false;
    }

    private void failed(BackingFile home) {
        segment.logDir().hdd().counts().failed(home.device());
    }

    /** Goes on with the complete HDD file (S6); false when there is none. */
    private boolean leaveSsd(BackingFile failed, IOException failure) {
        lock.lock();
        try {
            if (failed != segment.channel().home()) {
                return true; // it has been moved meanwhile
            }
            SsdFile onSsd = segment.ssdFile();
            if (onSsd == null || segment.isClosed()) {
                return false;
            }
            onSsd.dir().suspect(onSsd.path(), failure, listener);
            if (segment.state() != SegmentState.CACHED || !segment.name().isLive()) { // S7
                return false;
            }
            segment.makeNameDurable();
            segment.moveTo(segment.name().open());
            return true;
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        } finally {
            lock.unlock();
        }
    }
}
