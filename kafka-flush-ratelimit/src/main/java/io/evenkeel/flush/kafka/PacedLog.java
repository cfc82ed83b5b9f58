/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.DirtyLog;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.RefusedBatches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.apache.kafka.storage.internals.log.LogSegments;
import org.jspecify.annotations.Nullable;

/**
 * One of Kafka's logs whose forces are paced. Thread safe.
 *
 * <p>Appends, truncations and flushes tell it what they do, under the partition's lock; the worker of its log directory
 * forces it; appends that find no room wait here, before they take a lock.
 */
final class PacedLog {
    /*
     * Ground rules.
     *
     * I4: a force of ours is over before Kafka closes or deletes the log, and none begins after that: a channel that is closed
     *     under a force makes it fail, and a failed force takes the log directory offline. So who ends a log waits for the force
     *     lock, before it takes Kafka's lock; the force itself takes Kafka's lock inside.
     * I5: who waits looks again each time that anything has been forced or a promise was given back, and is let go when the
     *     log ends.
     */

    private final Object unifiedLog;
    private final LocalLog log;
    private final LogDirFlusher dir;
    private final double jitter;
    private final DirtyLog dirty;
    private final RefusedBatches refused = new RefusedBatches();
    private final ReentrantLock forceLock = new ReentrantLock();
    private final Object room = new Object();
    private volatile boolean ended;

    /** Who forces it; null until there is something to force. */
    private volatile @Nullable DeviceFlusher flusher;

    /** Of the segment that told who forces it. Written under the partition's lock. */
    private volatile long activeBaseOffset = -1;

    PacedLog(Object unifiedLog, LocalLog log, LogDirFlusher dir, FlushSettings settings, double jitter) {
        this.unifiedLog = unifiedLog;
        this.log = log;
        this.dir = dir;
        this.jitter = jitter;
        this.dirty = new DirtyLog(settings);
    }

    DirtyLog dirty() {
        return dirty;
    }

    RefusedBatches refused() {
        return refused;
    }

    Object unifiedLog() {
        return unifiedLog;
    }

    LocalLog log() {
        return log;
    }

    LogDirFlusher dir() {
        return dir;
    }

    double jitter() {
        return jitter;
    }

    /** What was recovered, or appended under another broker process, and is not known to be forced. */
    void opened(long nowNanos) {
        long from = log.recoveryPoint();
        long to = log.logEndOffset();
        if (from < to) {
            appended(from, to, LogSegments.sizeInBytes(log.segments().values(from, to)), nowNanos);
        }
    }

    void appended(long firstOffset, long endOffset, long bytes, long nowNanos) {
        if (ended) {
            return;
        }
        DirtyLog.Look look = dirty.appended(firstOffset, endOffset, bytes, nowNanos);
        boolean moved = follow(log.segments().activeSegment().baseOffset());
        if (moved || look != DirtyLog.Look.AS_PLANNED) {
            look(look == DirtyLog.Look.NOW);
        }
        DirtyLog.Pending pending = dirty.pending();
        if (pending != null) {
            dir.counts().highestBytes.accumulate(pending.bytes());
            dir.counts().highestSpanNanos.accumulate(pending.untilNanos() - pending.sinceNanos());
        }
    }

    /** A new segment may be on another disk than the one before it; true if it is the first, or is. */
    private boolean follow(long baseOffset) {
        if (baseOffset == activeBaseOffset) {
            return false;
        }
        activeBaseOffset = baseOffset;
        DeviceFlusher before = flusher;
        DeviceFlusher now = dir.flusherOf(activeFile());
        flusher = now;
        if (before != null && before != now) {
            before.forget(this);
        }
        return before != now;
    }

    /** Of the newest segment; may be deleted at any time. */
    Path activeFile() {
        return LogFileUtils.logFile(log.dir(), activeBaseOffset).toPath();
    }

    private void look(boolean now) {
        DeviceFlusher by = flusher;
        if (by != null) {
            by.look(this, now);
        }
    }

    void forced(long offset) {
        if (dirty.forced(offset)) {
            letWaitersLook();
        }
    }

    void truncated(long offset) {
        dirty.truncated(offset);
        letWaitersLook();
    }

    void cleared() {
        dirty.cleared();
        letWaitersLook();
    }

    /** Asks for room, and waits for it at most so long. Null when there was none in time, or when the log has ended. */
    DirtyLog.@Nullable Promise reserve(long bytes, long waitMs) throws InterruptedException {
        return await(nowNanos -> dirty.reserve(bytes, nowNanos), waitMs);
    }

    /**
     * Waits at most so long until an append may be acknowledged. False when that was not in time, or when the log has
     * ended.
     */
    boolean awaitAcknowledgeable(long waitMs) throws InterruptedException {
        return await(nowNanos -> dirty.mayAcknowledge(nowNanos) ? true : null, waitMs) != null;
    }

    /** Asks for what a force may bring, until it is there. */
    private <T> @Nullable T await(LongFunction<@Nullable T> ask, long waitMs) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        synchronized (room) {
            while (!ended) {
                long nowNanos = System.nanoTime();
                T answer = ask.apply(nowNanos);
                if (answer != null || deadlineNanos - nowNanos <= 0) {
                    return answer;
                }
                look(true);
                TimeUnit.NANOSECONDS.timedWait(room, deadlineNanos - nowNanos);
            }
        }
        return null;
    }

    void release(DirtyLog.Promise promise) {
        if (promise.release()) {
            letWaitersLook();
        }
    }

    /** Whether an append need not ask any more. */
    boolean hasEnded() {
        return ended;
    }

    /**
     * Forces all that is there now, as Kafka does it.
     *
     * @return the bytes; 0 when the log has ended
     * @throws IOException when that failed, and the log directory is offline
     */
    long force() throws IOException {
        forceLock.lock();
        try {
            if (ended) {
                dirty.cleared(); // an append may have come in while it ended
            }
            DirtyLog.Pending pending = dirty.pending();
            if (pending == null) {
                return 0;
            }
            dirty.forcing(System.nanoTime());
            KafkaLogs.flush(unifiedLog);
            // Kafka forces nothing when a truncation has left nothing to force, and then tells nobody.
            forced(log.recoveryPoint());
            return pending.bytes();
        } catch (RuntimeException | Error failure) {
            retire();
            throw offline(failure);
        } finally {
            forceLock.unlock();
        }
    }

    /** A force that failed must not be tried again, because the kernel may take the pages for clean now. */
    private IOException offline(Throwable failure) {
        String message =
                "A force of " + log.topicPartition() + " failed, so what of it is on the disk is not known and its log "
                        + "directory " + log.parentDir()
                        + " goes offline; other replicas take over. Check the disk, then restart the "
                        + "broker: " + log.dir();
        IOException cause = new IOException(message, failure);
        if (!log.logDirFailureChannel().hasOfflineLogDir(log.parentDir())) {
            log.logDirFailureChannel().maybeAddOfflineLogDir(log.parentDir(), message, cause);
        }
        return cause;
    }

    /** No force begins any more, and nobody waits; does not wait for a force that runs. */
    void retire() {
        ended = true;
        dirty.cleared();
        DeviceFlusher by = flusher;
        if (by != null) {
            by.forget(this);
        }
        letWaitersLook();
    }

    /** As {@link #retire}, and waits for a force that runs. Requires: without Kafka's lock of the log. */
    void end() {
        ended = true;
        forceLock.lock();
        try {
            retire();
        } finally {
            forceLock.unlock();
        }
    }

    private void letWaitersLook() {
        synchronized (room) {
            room.notifyAll();
        }
    }
}
