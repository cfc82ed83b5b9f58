/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.RetiredFile;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.file.SegmentPath;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One log segment: its state and its transitions. Thread safe.
 *
 * <p>Kafka's threads write, truncate, rename and delete; a copier publishes copies; an evictor takes segments off the
 * SSD. They meet under the segment's lock, which is also its channel's change lock.
 */
final class Segment implements TieredFileChannel.Owner {
    /*
     * Invariants
     *
     * S1  Bytes change only while one device alone has them: a CACHED segment becomes ONLY_CACHE first.
     * S2  CACHED only after the HDD file, fsynced and verified, has replaced the link, and the directory is fsynced.
     * S3  A copy is published only if nothing has happened to the segment since it was begun: no write, truncation, rename,
     *     deletion or close. So no copy can bring back what Kafka has given up.
     * S4  An SSD file is unlinked only when no HDD path links to it: after S2, or after Kafka has deleted the path.
     * S5  Kafka's renames and the steps above exclude each other.
     * S6  A segment is moved off an SSD, which may have failed it, only to a complete HDD file whose name is durable: Kafka
     *     may append to that file at once.
     * S7  A segment that waits to be deleted stays where it is. Its name may lead to another's file: who compacts a segment
     *     twice before the first is deleted gives both the same name.
     */

    /** What a copy was begun with, to be compared when it is published. */
    record CopyTicket(Path path, SsdFile ssdFile, long changes) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final FileOps files;
    private final LogDir logDir;
    private final long baseOffset;
    private final OpenRequest request;
    private final SpaceReservation booking;
    private final TieredFileChannel channel;
    private final SegmentPath name;
    private final TierListener listener;
    private volatile @Nullable HddReason hddReason;
    private volatile SegmentState state;
    private volatile @Nullable SsdFile ssdFile;
    private volatile long sizeBytes;
    /** When the last record was appended, as the file system has it; known once a copy has been made or found. */
    private volatile long lastModifiedMs = Long.MAX_VALUE;

    private volatile boolean sealed;
    /** Since when it waits to be copied; of no meaning when it does not. */
    private volatile long waitingSinceNanos;

    private volatile boolean aside;

    /** To be taken off the SSD although it is active. */
    private volatile boolean draining;

    private volatile boolean closed;
    private int copyFailures;
    private boolean renaming;
    /** Grows with everything that makes a copy begun earlier worthless (S3). */
    private long changes;

    Segment(
            FileOps files,
            LogDir logDir,
            SegmentFileName fileName,
            OpenedFile opened,
            OpenRequest request,
            TierListener listener) {
        this.files = files;
        this.logDir = logDir;
        this.baseOffset = fileName.baseOffset();
        this.request = request;
        this.listener = listener;
        this.booking = opened.booking();
        this.name = new SegmentPath(files, opened.path(), opened.state() == SegmentState.ONLY_CACHE);
        this.hddReason = opened.hddReason();
        this.state = opened.state();
        this.booking.cached(opened.state() == SegmentState.CACHED);
        this.ssdFile = opened.ssdFile();
        this.sizeBytes = opened.sizeBytes();
        this.lastModifiedMs = opened.lastModifiedMs();
        this.channel = new TieredFileChannel(
                opened.home(),
                lock,
                this,
                new Failover(this, lock, files, listener),
                logDir.hdd().counts());
    }

    TieredFileChannel channel() {
        return channel;
    }

    SegmentPath name() {
        return name;
    }

    Path path() {
        return name.path();
    }

    SegmentState state() {
        return state;
    }

    @Nullable
    SsdFile ssdFile() {
        return ssdFile;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    long lastModifiedMs() {
        return lastModifiedMs;
    }

    /** Counts a copy that failed; for the copier alone. */
    int copyFailed() {
        return ++copyFailures;
    }

    /** True when a failure made a disk's word doubtful: the segment is neither copied nor evicted any more. */
    boolean isQuarantined() {
        return aside || logDir.isDoubtful();
    }

    LogDir logDir() {
        return logDir;
    }

    long baseOffset() {
        return baseOffset;
    }

    /** What Kafka said when it opened the segment. */
    OpenRequest request() {
        return request;
    }

    /** Why it began on the HDD, or came there before it was full; null when that is not known. */
    @Nullable
    HddReason hddReason() {
        return hddReason;
    }

    /** True when the evictor may take it. */
    boolean isEvictable() {
        return state == SegmentState.CACHED
                && (sealed || draining)
                && !isQuarantined()
                && !closed
                && name.isLive(); // S7
    }

    /** Says whether to take it off the SSD even while it is active. */
    void draining(boolean on, long nowNanos) {
        if (on && !sealed && !draining) {
            waitingSinceNanos = nowNanos;
        }
        draining = on;
    }

    void quarantine() {
        aside = true;
    }

    /** The SSD was full in the middle of an append. */
    void spilled() {
        hddReason = HddReason.NO_ROOM;
    }

    /** The partition has a newer segment: nothing is appended here any more, and what was promised is given back. */
    void seal(long nowNanos) {
        lock.lock();
        try {
            if (!sealed) {
                waitingSinceNanos = nowNanos;
            }
            sealed = true;
            booking.trim(sizeBytes);
        } finally {
            lock.unlock();
        }
    }

    /** The newer segments are gone, and this one is appended to again. */
    void unseal() {
        sealed = false;
    }

    // ---- bytes change (called by the channel, lock held) ----

    /** Makes the SSD file the only truth again: the link back first, durable, then Kafka's change (S1). */
    @Override
    public void beforeChange() throws IOException {
        changes++;
        SsdFile onSsd = ssdFile;
        if (onSsd != null && !name.isLink()) {
            become(SegmentState.ONLY_CACHE);
            name.linkTo(onSsd.path());
        }
    }

    private void become(SegmentState next) {
        state = next;
        booking.cached(next == SegmentState.CACHED);
    }

    @Override
    public void wrote(long bytes) {
        long grownBytes = sizeBytes + bytes;
        sizeBytes = grownBytes;
        booking.holds(grownBytes);
        SsdFile onSsd = ssdFile;
        if (onSsd != null) {
            onSsd.dir().wrote(bytes);
        }
    }

    @Override
    public void truncated(long newSizeBytes) {
        sizeBytes = Math.min(sizeBytes, newSizeBytes);
        booking.holds(sizeBytes);
    }

    @Override
    public void closed() {
        closed = true;
    }

    // ---- off the SSD ----

    /**
     * From here on the segment is on the HDD alone; the evictor removes the SSD file when nobody uses it (S6).
     *
     * <p>Requires: the lock is held.
     *
     * @throws IOException when {@code hdd} is not the same file; it is then closed
     */
    void moveTo(BackingFile hdd) throws IOException {
        SsdFile onSsd = ssdFile;
        if (onSsd == null) {
            throw new IllegalStateException("Not on an SSD: " + this);
        }
        BackingFile ssd;
        try {
            long hddBytes = hdd.channel().size();
            long ssdBytes = channel.home().channel().size();
            if (hddBytes != ssdBytes) {
                aside = true;
                throw new IOException("The HDD file has " + hddBytes + " bytes, its SSD copy has " + ssdBytes + ": "
                        + name.path() + " (hdd)");
            }
            ssd = channel.move(hdd);
        } catch (IOException e) {
            hdd.channel().close();
            throw e;
        }
        state = SegmentState.WITHOUT_CACHE;
        ssdFile = null;
        onSsd.dir().leaving().add(new RetiredFile(path(), ssd, onSsd, booking.leave()));
    }

    // ---- Kafka renames and deletes ----

    /** From here to {@link #renamed}, the segment's path belongs to Kafka (S5). */
    void renaming() {
        lock.lock();
        try {
            renaming = true;
            changes++;
        } finally {
            lock.unlock();
        }
    }

    void renamed(Path newPath) {
        lock.lock();
        try {
            name.renamed(newPath);
            renaming = false;
            changes++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Kafka has deleted the path, and closed the channel before: the SSD file goes too, and its space is free. Where
     * the path may be a link on the disk, its removal is made durable first: a power cut must not leave a link that
     * leads nowhere (S4).
     */
    void deleted() throws IOException {
        SsdFile onSsd;
        boolean mayBeLink;
        long freedBytes;
        lock.lock();
        try {
            closed = true;
            onSsd = ssdFile;
            mayBeLink = name.mayBeLink();
            freedBytes = booking.leave();
            ssdFile = null;
        } finally {
            lock.unlock();
        }
        if (onSsd == null) {
            return;
        }
        if (mayBeLink) {
            name.makeRemovalDurable();
        }
        files.deleteIfExists(onSsd.path());
        onSsd.dir().book(-freedBytes, 0);
    }

    /**
     * A closed segment's path is being opened again: its place on the SSD passes to the new segment.
     *
     * @return the SSD file, if there is one; nothing is booked for it any more
     */
    @Nullable
    SsdFile handOver() {
        lock.lock();
        try {
            SsdFile onSsd = ssdFile;
            booking.trim(0);
            ssdFile = null;
            return onSsd;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    // ---- the copier ----

    /** Begins a copy; null when there is nothing to copy, or not now. */
    @Nullable
    CopyTicket beginCopy() {
        lock.lock();
        try {
            SsdFile onSsd = ssdFile;
            return isCopyable() && onSsd != null ? new CopyTicket(name.path(), onSsd, changes) : null;
        } finally {
            lock.unlock();
        }
    }

    /** False when a copy begun with {@code ticket} has become worthless. */
    boolean isCurrent(CopyTicket ticket) {
        lock.lock();
        try {
            return isCopyable() && changes == ticket.changes();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts a finished copy in the link's place (S2, S3). The lock is not held while the directory is forced: until that
     * is done the segment stays ONLY_CACHE, and a change puts the link back.
     *
     * <p>Requires: {@code copy} is complete, verified and fsynced.
     *
     * @return false when the segment has changed since the ticket was made; the copy is then worthless
     * @throws IOException when the copy could not be put in place, or the directory could not be made durable; in the
     *     second case the log directory has failed, because a later fsync that succeeds would prove nothing
     */
    boolean publish(CopyTicket ticket, Path copy, long dataTimeMs) throws IOException {
        try (FileChannel dir = name.openDir()) {
            lock.lock();
            try {
                if (!isCurrent(ticket)) {
                    return false;
                }
                name.requireLinkTo(ticket.ssdFile().path());
                name.replaceLink(copy);
            } finally {
                lock.unlock();
            }
            try {
                name.makeDurable(dir);
            } catch (IOException e) {
                failLogDir(e);
                throw e;
            }
        }
        lock.lock();
        try {
            if (!isCurrent(ticket)) {
                return false;
            }
            lastModifiedMs = dataTimeMs;
            booking.trim(sizeBytes); // an active one, in a drain, is promised nothing any more
            become(SegmentState.CACHED);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean isCopyable() {
        return isWaiting() && !renaming;
    }

    /** True when it is to be copied. Takes no lock. */
    boolean isWaiting() {
        return state == SegmentState.ONLY_CACHE
                && (sealed || draining)
                && !isQuarantined()
                && !closed
                && name.isLive()
                && !SegmentFileName.isDying(name.dir());
    }

    /** When it was sealed in this process, or told to leave the SSD; of no meaning unless it {@link #isWaiting()}. */
    long waitingSinceNanos() {
        return waitingSinceNanos;
    }

    // ---- the evictor ----

    /**
     * Makes sure that a power cut cannot bring back a link, before the segment leaves the SSD.
     *
     * @throws IOException when that cannot be done; or when Kafka renames the directory
     */
    void makeNameDurable() throws IOException {
        try {
            name.makeDurable();
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            failLogDir(e);
            throw e;
        }
    }

    /**
     * A directory could not be forced: its log directory has failed, as if the force had been Kafka's own, whose names
     * are lost with ours. A later one that succeeds would prove nothing.
     */
    private void failLogDir(IOException failure) {
        logDir.doubt();
        listener.storageError(logDir.path(), name.path(), failure);
    }

    /**
     * Leaves the SSD.
     *
     * <p>Requires: the name is durable; {@code hdd} was opened without following a link.
     *
     * @return false when the segment may not be evicted (any more); {@code hdd} is then closed
     * @throws IOException when the HDD file is not what it should be; {@code hdd} is then closed
     */
    boolean evict(BackingFile hdd) throws IOException {
        lock.lock();
        try {
            if (!isEvictable() || ssdFile == null || renaming || !name.path().equals(hdd.path())) {
                hdd.channel().close();
                return false;
            }
            moveTo(hdd);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return name + " (" + state + ")";
    }
}
