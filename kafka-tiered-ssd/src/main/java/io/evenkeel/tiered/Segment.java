/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.coldread.ColdReaders;
import io.evenkeel.tiered.coldread.ColdReads;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.NameDurability;
import io.evenkeel.tiered.disk.SegmentReads;
import io.evenkeel.tiered.disk.ShadowFile;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.file.SegmentPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One log segment and the transitions between its states. Thread safe.
 *
 * <p>Kafka's threads write, truncate, rename and delete; a copier publishes copies with a {@link CopyTicket}; an
 * evictor takes segments off the SSD. They meet under the segment's lock, which is also its channel's change lock.
 */
final class Segment implements TieredFileChannel.Owner, ColdReads.Owner {
    /*
     * Invariants
     *
     * S1  Bytes change only while one device alone has them: a CACHED segment becomes ONLY_CACHE first.
     * S2  CACHED only after the HDD file, fsynced and verified, has replaced the link, and the directory is fsynced.
     * S3  A copy is published only if nothing has happened to the segment since the copy was begun: no write,
     *     truncation, rename, deletion or close. So no copy can bring back records that Kafka has dropped.
     * S4  An SSD file is unlinked only when no HDD path links to it: after S2, or after Kafka has deleted the path.
     * S5  Kafka's renames and the steps above exclude each other.
     * S6  A segment leaves an SSD, which may have failed it, only for a complete HDD file whose name is durable: Kafka
     *     may append to that file at once.
     * S7  A segment that waits to be deleted stays where it is. Its name may belong to another file: when Kafka
     *     compacts a segment twice before it deletes the first result, both get the same name.
     */

    private final ReentrantLock lock = new ReentrantLock();
    private final LogDir logDir;
    private final long baseOffset;
    private final OpenRequest request;
    private final SegmentPath name;
    private final NameDurability durability;
    private final SegmentStorage storage;
    private final SegmentLife life = new SegmentLife();
    private final ColdReads coldReads;
    private final TieredFileChannel channel;
    private boolean renaming;
    /** Grows with everything that makes a copy begun earlier worthless (S3). */
    private long changes;

    Segment(
            FileOps files,
            LogDir logDir,
            SegmentFileName fileName,
            OpenedFile opened,
            OpenRequest request,
            TierListener listener,
            ColdReaders readers,
            @Nullable ShadowFile shadow) {
        this.logDir = logDir;
        this.baseOffset = fileName.baseOffset();
        this.request = request;
        this.name = new SegmentPath(files, opened.path(), opened.state() == SegmentState.ONLY_CACHE);
        this.durability = new NameDurability(name, logDir, listener);
        this.storage = new SegmentStorage(opened, shadow);
        this.coldReads = new ColdReads(this, lock, files, readers, logDir.hdd(), opened.ssdFile());
        this.channel = new TieredFileChannel(
                opened.backingFile(),
                lock,
                this,
                new Failover(this, lock, files, listener),
                new SegmentReads(logDir.hdd().counts(), shadow),
                coldReads);
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

    @Override
    public String partition() {
        return SegmentFileName.nameOf(name.dir());
    }

    NameDurability durability() {
        return durability;
    }

    SegmentStorage storage() {
        return storage;
    }

    SegmentState state() {
        return storage.state();
    }

    SegmentLife life() {
        return life;
    }

    LogDir logDir() {
        return logDir;
    }

    long baseOffset() {
        return baseOffset;
    }

    OpenRequest request() {
        return request;
    }

    /** Guards the changes of {@link #storage()}, {@link #name()} and {@link #changes()}. */
    ReentrantLock lock() {
        return lock;
    }

    /** Requires: the lock is held. */
    long changes() {
        return changes;
    }

    /** True when a failure has made a device suspect: the segment is neither copied nor evicted any more. */
    boolean isQuarantined() {
        return life.isQuarantined() || logDir.isSuspect();
    }

    /** True when it waits to be copied. Takes no lock. */
    boolean isWaiting() {
        return storage.state() == SegmentState.ONLY_CACHE && isLeavingSsd() && !SegmentFileName.isDeleted(name.dir());
    }

    /** True when the evictor may take it. Takes no lock. */
    boolean isEvictable() {
        return storage.state() == SegmentState.CACHED && isLeavingSsd();
    }

    private boolean isLeavingSsd() {
        return life.isLeavingSsd() && !logDir.isSuspect() && name.isLive(); // S7
    }

    /** The partition has a newer segment: nothing is appended here any more, and no space is needed to grow. */
    void seal(long nowNanos) {
        lock.lock();
        try {
            life.seal(nowNanos);
            storage.trim();
            coldReads.seal();
        } finally {
            lock.unlock();
        }
    }

    // ---- bytes change (called by the channel, lock held) ----

    /** Makes the SSD file the only truth again: the link back first, durable, then Kafka's change (S1). */
    @Override
    public void beforeChange() throws IOException {
        changes++;
        life.changes();
        coldReads.changes();
        SsdFile onSsd = storage.ssdFile();
        if (onSsd != null && !name.isLink()) {
            storage.becomeOnlyCache();
            name.linkTo(onSsd.path());
        }
    }

    @Override
    public void wrote(long bytes) {
        storage.wrote(bytes);
        logDir.hdd().appended(bytes);
    }

    @Override
    public void truncated(long sizeBytes) {
        storage.truncated(sizeBytes);
    }

    @Override
    public void closed() {
        life.close();
        storage.closed();
        coldReads.changes();
    }

    // ---- Kafka renames, deletes and opens again ----

    @Override
    public @Nullable Path certainPath(Device device) {
        return device == Device.SSD ? storage.ssdPath() : renaming || !name.isLive() ? null : path();
    }

    @Override
    public int readFile(ByteBuffer dst, long position) throws IOException {
        return channel.readFile(dst, position);
    }

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
     * Kafka opens the path of this closed segment again: the SSD file passes to the new segment.
     *
     * @return the SSD file, if there is one; no space is reserved for it any more
     */
    @Nullable
    SsdFile handOver() {
        lock.lock();
        try {
            return storage.handOver();
        } finally {
            lock.unlock();
        }
    }

    // ---- the copier and the evictor ----

    /** Begins a copy; null when there is nothing to copy, or not now. */
    @Nullable
    CopyTicket beginCopy() {
        lock.lock();
        try {
            SsdFile onSsd = storage.ssdFile();
            return isCopyable() && onSsd != null ? new CopyTicket(this, name.path(), onSsd, changes) : null;
        } finally {
            lock.unlock();
        }
    }

    /** Requires: the lock is held. */
    boolean isCopyable() {
        return isWaiting() && !renaming;
    }

    /**
     * Leaves the SSD.
     *
     * <p>Requires: the name is durable; {@code hdd} was opened without following a link.
     *
     * @return false when the segment may not be evicted (any more); {@code hdd} is then closed
     * @throws IOException when the HDD file has another length than the SSD file; {@code hdd} is then closed
     */
    boolean evict(BackingFile hdd) throws IOException {
        lock.lock();
        try {
            boolean canLeave = isEvictable() && storage.ssdFile() != null && !renaming;
            if (!canLeave || !path().equals(hdd.path())) {
                hdd.channel().close();
                return false;
            }
            MoveToHdd.move(this, hdd);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return name + " (" + storage.state() + ")";
    }
}
