/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.UnflushedLog;
import io.evenkeel.flush.disk.DeviceFlusher;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.LogDirFlusher;
import io.evenkeel.flush.disk.PacedLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.apache.kafka.storage.internals.log.LogSegment;
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
     * I3: our flush is over before Kafka closes or deletes the log, and none begins after that: a channel that Kafka
     *     closes during a flush makes the flush fail, and a failed flush takes the log directory offline. So a thread
     *     that ends a log waits for the flush lock before it takes Kafka's lock; the flush itself takes Kafka's lock
     *     inside.
     * I6: what a truncation during our flush has replaced stays unflushed.
     */

    /** The log that this thread flushes. */
    private static final ThreadLocal<KafkaPacedLog> FLUSHING = new ThreadLocal<>();

    private final Object unifiedLog;
    private final LocalLog log;
    private final LogDirFlusher dir;
    private final Supplier<FlushSettings> settings;
    private final double jitter;
    /** A new one after each pause, so that a planned flush that still runs does not clear what is found next. */
    private volatile UnflushedLog unflushed = new UnflushedLog();

    private final ReentrantLock flushLock = new ReentrantLock();
    private final WaitingAppends waiting = new WaitingAppends();
    private volatile boolean ended;
    /** Whether appends count. */
    private volatile boolean begun;
    /** The lowest offset that the log was truncated to since our flush began. */
    private volatile long truncatedTo = Long.MAX_VALUE;

    /** The worker for the newest segment; null until there is something to flush. */
    private volatile @Nullable DeviceFlusher flusher;

    /** Of the segment that determined the worker. Written under the partition's lock. */
    private volatile long activeBaseOffset = -1;

    /** @param settings the current ones */
    KafkaPacedLog(Object unifiedLog, LocalLog log, LogDirFlusher dir, Supplier<FlushSettings> settings, double jitter) {
        this.unifiedLog = unifiedLog;
        this.log = log;
        this.dir = dir;
        this.settings = settings;
        this.jitter = jitter;
    }

    /** The log that the calling thread flushes; null when it flushes none by rate. */
    static @Nullable KafkaPacedLog flushing() {
        return FLUSHING.get();
    }

    @Override
    public String name() {
        return log.topicPartition() + " (" + log.dir() + ")";
    }

    @Override
    public UnflushedLog unflushed() {
        return unflushed;
    }

    @Override
    public double jitter() {
        return jitter;
    }

    Object unifiedLog() {
        return unifiedLog;
    }

    LocalLog log() {
        return log;
    }

    /**
     * From now on appends count. What is behind the recovery point is flushed as well: nobody knows whether it is on
     * the disk. It is added after {@code begun} is set, so none is missed.
     */
    void begin(long nowNanos) {
        begun = true;
        long from = log.recoveryPoint();
        long to = log.logEndOffset();
        if (from < to && !ended) {
            unflushed.found(from, to, nowNanos);
            follow(log.segments().activeSegment().baseOffset());
            tellFlusher(false);
        }
    }

    void appended(long firstOffset, long endOffset, long bytes, long nowNanos) {
        if (ended || !begun) {
            return;
        }
        FlushSettings bounds = settings.get();
        UnflushedLog.Urgency urgency = unflushed.appended(firstOffset, endOffset, bytes, bounds, nowNanos);
        boolean moved = follow(log.segments().activeSegment().baseOffset());
        if (moved || urgency != UnflushedLog.Urgency.AS_PLANNED) {
            tellFlusher(urgency == UnflushedLog.Urgency.NOW);
        }
        reportIfItExceeds(bounds, nowNanos);
        UnflushedLog.Pending pending = unflushed.pending();
        if (pending != null) {
            dir.counts().add(FlushCounter.HIGHEST_PENDING_BYTES, pending.bytes());
            dir.counts().add(FlushCounter.HIGHEST_PENDING_SPAN_NANOS, pending.untilNanos() - pending.sinceNanos());
        }
    }

    private void reportIfItExceeds(FlushSettings bounds, long nowNanos) {
        DeviceFlusher by = flusher;
        if (by != null) {
            dir.reportIfItExceeds(this, by, bounds, nowNanos);
        }
    }

    /** Finds the worker for a new segment, which may be on another disk. True if the worker is another one now. */
    private boolean follow(long baseOffset) {
        if (baseOffset == activeBaseOffset) {
            return false;
        }
        DeviceFlusher before = flusher;
        DeviceFlusher now;
        try {
            now = dir.flusherOf(fileOf(baseOffset));
        } catch (OutOfMemoryError noThread) { // must not fail the append; the next one tries again
            return false;
        }
        activeBaseOffset = baseOffset;
        flusher = now;
        if (before != null && before != now) {
            before.remove(this);
        }
        return before != now;
    }

    @Override
    public Path activeFile() {
        return fileOf(activeBaseOffset);
    }

    private Path fileOf(long baseOffset) {
        return LogFileUtils.logFile(log.dir(), baseOffset).toPath();
    }

    private void tellFlusher(boolean now) {
        DeviceFlusher by = flusher;
        if (by != null) {
            by.add(this, now);
        }
    }

    void flushed(long offset) {
        reportIfItExceeds(settings.get(), System.nanoTime()); // a flush that hung, of a log that nobody appends to
        if (unflushed.flushed(offset)) {
            waiting.wake();
        }
    }

    void truncated(long offset) {
        truncatedTo = Math.min(truncatedTo, offset);
        unflushed.truncated(offset);
        waiting.wake();
    }

    void cleared(long newOffset) {
        unflushed.cleared();
        truncated(newOffset);
    }

    /** Whether an append keeps the bound in bytes, or none counts. */
    boolean hasRoom(int bytes) {
        return ended || !begun || unflushed.hasRoom(bytes, settings.get());
    }

    /** Waits until there is room, but no longer than that. */
    void awaitRoom(int bytes, long mostNanos) throws InterruptedException {
        waiting.await(() -> hasRoom(bytes), () -> tellFlusher(true), mostNanos);
    }

    /**
     * The recovery point for Kafka to set after our flush, instead of the log's end when it began. The flush may have
     * missed what a follower has truncated and appended anew since. For the flushing thread, under Kafka's lock.
     */
    long recoveryPoint(long offset) {
        return Math.min(offset, truncatedTo);
    }

    /** Whether appends count no more, because the log has ended. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether Kafka has removed this segment from the log, by retention, truncation or compaction. */
    boolean hasDropped(LogSegment segment) {
        return log.segments().get(segment.baseOffset()).orElse(null) != segment;
    }

    /**
     * Flushes by Kafka's own method, which takes the log directory offline when the disk fails; in the shadow, plans
     * to.
     */
    @Override
    public long flush() throws IOException {
        flushLock.lock();
        UnflushedLog begins = unflushed; // before the settings are read
        try {
            if (ended || !begun) {
                begins.cleared(); // an append may have come in meanwhile
            }
            UnflushedLog.Pending pending = begins.pending();
            if (pending == null) {
                return NOTHING;
            }
            truncatedTo = Long.MAX_VALUE;
            long beganNanos = System.nanoTime();
            begins.flushBegins(beganNanos);
            if (settings.get().isShadow()) {
                begins.flushed(log.logEndOffset());
                return pending.bytes();
            }
            FLUSHING.set(this);
            KafkaLogs.flush(unifiedLog);
            long nanos = System.nanoTime() - beganNanos;
            // After a truncation Kafka may find nothing to flush, and then does not move the recovery point.
            flushed(log.recoveryPoint());
            FlushEvents.flushed(name(), pending.bytes(), nanos);
            return pending.bytes();
        } catch (KafkaStorageException offline) {
            retire(); // never again: the kernel may now treat the pages that it could not write as clean
            throw new IOException(
                    "A flush failed: " + name() + ". The disk may lack part of it, so the log directory is offline and"
                            + " other replicas take over. Check the disk, then restart the broker.",
                    offline);
        } finally {
            FLUSHING.remove();
            flushLock.unlock();
        }
    }

    /** Appends do not count any more. */
    void pause() {
        begun = false;
        forget();
        unflushed = new UnflushedLog();
    }

    @Override
    public void retire() {
        ended = true;
        forget();
    }

    private void forget() {
        unflushed.cleared();
        DeviceFlusher by = flusher;
        if (by != null) {
            by.remove(this);
        }
        waiting.wake();
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
}
