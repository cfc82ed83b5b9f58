/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.RefusedBatches;
import io.evenkeel.flush.UnflushedLog;
import io.evenkeel.flush.disk.DeviceFlusher;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.LogDirFlusher;
import io.evenkeel.flush.disk.PacedLog;
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
 * One of Kafka's logs whose flushes are paced. Thread safe.
 *
 * <p>Kafka reports appends, truncations and flushes under the partition's lock. A worker of the log directory flushes
 * the log. Appends that find no room wait here, before they take a lock.
 */
final class KafkaPacedLog implements PacedLog {
    /*
     * Ground rules.
     *
     * I4: our flush is over before Kafka closes or deletes the log, and none begins after that: a channel that Kafka
     *     closes during a flush makes the flush fail, and a failed flush takes the log directory offline. So a thread
     *     that ends a log waits for the flush lock before it takes Kafka's lock; the flush itself takes Kafka's lock
     *     inside.
     * I5: a waiting append tries again after each flush and each released reservation, and goes on when the log ends.
     */

    private final Object unifiedLog;
    private final LocalLog log;
    private final LogDirFlusher dir;
    private final Handlers handlers;
    private final double jitter;
    private final UnflushedLog unflushed;
    private final RefusedBatches refused = new RefusedBatches();
    private final ReentrantLock flushLock = new ReentrantLock();
    private final Object room = new Object();
    private volatile boolean ended;

    /** The worker for the newest segment; null until there is something to flush. */
    private volatile @Nullable DeviceFlusher flusher;

    /** Of the segment that determined the worker. Written under the partition's lock. */
    private volatile long activeBaseOffset = -1;

    /** @param handlers that appends to the log directory may hold */
    KafkaPacedLog(
            Object unifiedLog,
            LocalLog log,
            LogDirFlusher dir,
            Handlers handlers,
            FlushSettings settings,
            double jitter) {
        this.unifiedLog = unifiedLog;
        this.log = log;
        this.dir = dir;
        this.handlers = handlers;
        this.jitter = jitter;
        this.unflushed = new UnflushedLog(settings);
    }

    @Override
    public UnflushedLog unflushed() {
        return unflushed;
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

    Handlers handlers() {
        return handlers;
    }

    @Override
    public double jitter() {
        return jitter;
    }

    /** Counts the bytes behind the recovery point: it is not known whether they were flushed before the start. */
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
        UnflushedLog.Urgency urgency = unflushed.appended(firstOffset, endOffset, bytes, nowNanos);
        boolean moved = follow(log.segments().activeSegment().baseOffset());
        if (moved || urgency != UnflushedLog.Urgency.AS_PLANNED) {
            tellFlusher(urgency == UnflushedLog.Urgency.NOW);
        }
        UnflushedLog.Pending pending = unflushed.pending();
        if (pending != null) {
            dir.counts().add(FlushCounter.HIGHEST_PENDING_BYTES, pending.bytes());
            dir.counts().add(FlushCounter.HIGHEST_PENDING_SPAN_NANOS, pending.untilNanos() - pending.sinceNanos());
        }
    }

    /** Finds the worker for a new segment, which may be on another disk. True if the worker is another one now. */
    private boolean follow(long baseOffset) {
        if (baseOffset == activeBaseOffset) {
            return false;
        }
        activeBaseOffset = baseOffset;
        DeviceFlusher before = flusher;
        DeviceFlusher now = dir.flusherOf(activeFile());
        flusher = now;
        if (before != null && before != now) {
            before.remove(this);
        }
        return before != now;
    }

    @Override
    public Path activeFile() {
        return LogFileUtils.logFile(log.dir(), activeBaseOffset).toPath();
    }

    private void tellFlusher(boolean now) {
        DeviceFlusher by = flusher;
        if (by != null) {
            by.add(this, now);
        }
    }

    void flushed(long offset) {
        if (unflushed.flushed(offset)) {
            wakeWaitingAppends();
        }
    }

    void truncated(long offset) {
        unflushed.truncated(offset);
        wakeWaitingAppends();
    }

    void cleared() {
        unflushed.cleared();
        wakeWaitingAppends();
    }

    /** Reserves room, and waits for it. Null when there was no room in time, or when the log has ended. */
    UnflushedLog.@Nullable Reservation reserve(long bytes, long waitMs) throws InterruptedException {
        return await(nowNanos -> unflushed.reserve(bytes, nowNanos), waitMs);
    }

    /** Waits until an append may be acknowledged. False when that was not in time, or when the log has ended. */
    boolean awaitAcknowledgeable(long waitMs) throws InterruptedException {
        return await(nowNanos -> unflushed.mayAcknowledge(nowNanos) ? true : null, waitMs) != null;
    }

    /** Tries until the answer is not null, or until the time is over. */
    private <T> @Nullable T await(LongFunction<@Nullable T> attempt, long waitMs) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        synchronized (room) {
            while (!ended) {
                long nowNanos = System.nanoTime();
                T answer = attempt.apply(nowNanos);
                if (answer != null || deadlineNanos - nowNanos <= 0) {
                    return answer;
                }
                tellFlusher(true);
                TimeUnit.NANOSECONDS.timedWait(room, deadlineNanos - nowNanos);
            }
        }
        return null;
    }

    void release(UnflushedLog.Reservation reservation) {
        if (reservation.release()) {
            wakeWaitingAppends();
        }
    }

    /** Whether appends need no room any more. */
    boolean hasEnded() {
        return ended;
    }

    /** Flushes by Kafka's own method. */
    @Override
    public long flush() throws IOException {
        flushLock.lock();
        try {
            if (ended) {
                unflushed.cleared(); // an append may have come in while the log ended
            }
            UnflushedLog.Pending pending = unflushed.pending();
            if (pending == null) {
                return 0;
            }
            unflushed.flushBegins(System.nanoTime());
            KafkaLogs.flush(unifiedLog);
            // After a truncation Kafka may find nothing to flush, and then does not move the recovery point.
            flushed(log.recoveryPoint());
            return pending.bytes();
        } catch (RuntimeException | Error failure) {
            retire();
            throw offline(failure);
        } finally {
            flushLock.unlock();
        }
    }

    /** A failed flush must not be tried again, because the kernel may now treat the pages as clean. */
    private IOException offline(Throwable failure) {
        String message = "A flush failed: partition=" + log.topicPartition() + " directory=" + log.dir()
                + ". The disk may lack part of it, so the log directory " + log.parentDir()
                + " goes offline and other replicas take over. Check the disk, then restart the broker.";
        IOException cause = new IOException(message, failure);
        if (!log.logDirFailureChannel().hasOfflineLogDir(log.parentDir())) {
            log.logDirFailureChannel().maybeAddOfflineLogDir(log.parentDir(), message, cause);
        }
        return cause;
    }

    @Override
    public void retire() {
        ended = true;
        unflushed.cleared();
        DeviceFlusher by = flusher;
        if (by != null) {
            by.remove(this);
        }
        wakeWaitingAppends();
    }

    /**
     * As {@link #retire}, and waits for a running flush. Requires: the caller does not hold Kafka's lock of the log.
     */
    void end() {
        ended = true;
        flushLock.lock();
        try {
            retire();
        } finally {
            flushLock.unlock();
        }
    }

    private void wakeWaitingAppends() {
        synchronized (room) {
            room.notifyAll();
        }
    }
}
