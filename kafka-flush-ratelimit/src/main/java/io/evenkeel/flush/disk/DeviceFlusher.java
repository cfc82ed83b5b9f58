/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.core.Worker;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.Pacer;
import io.evenkeel.flush.UnflushedLog;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes, on a thread of its own and as its pacer says, the logs of one log directory whose newest segments are on one
 * disk. Thread safe.
 */
public final class DeviceFlusher {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    /** The operator may raise the ceiling while the worker waits. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LogDirFlusher dir;
    private final Supplier<FlushSettings> settings;
    private final BooleanSupplier maySync;
    private final RateLimiter ceiling;
    private final Set<PacedLog> unflushed = ConcurrentHashMap.newKeySet();
    /** Only the worker uses it. */
    private final Pacer<PacedLog> pacer = new Pacer<>();
    /** Only the worker uses it. */
    private final Syncfs syncfs;

    private final Worker worker;
    /** Set before the worker collects the logs, so that a log that is added later wakes the worker. */
    private volatile boolean idle;

    private volatile double plannedBytesPerSecond;
    private volatile Pacer.Limit limit = Pacer.Limit.DISK;
    /** When the running flush began. */
    private volatile @Nullable Long flushBeganNanos;

    /**
     * @param name of the thread
     * @param settings the current ones
     * @param maySync whether a syncfs of this disk is possible and wanted now
     * @param ceiling of the disk, shared by all writers of that disk
     */
    DeviceFlusher(
            String name,
            LogDirFlusher dir,
            Supplier<FlushSettings> settings,
            BooleanSupplier maySync,
            RateLimiter ceiling) {
        this.dir = dir;
        this.settings = settings;
        this.maySync = maySync;
        this.ceiling = ceiling;
        this.syncfs = new Syncfs(dir.counts());
        this.worker = new Worker(name, this::step, DeviceFlusher::report);
    }

    void start() {
        worker.start();
    }

    /** Makes the worker use changed settings. */
    void wake() {
        worker.wake();
    }

    /**
     * Adds a log that has unflushed bytes.
     *
     * @param now whether the worker should plan at once, because the log is due
     */
    public void add(PacedLog log, boolean now) {
        if (dir.hasFailed()) {
            log.retire();
            return;
        }
        unflushed.add(log);
        if (dir.hasFailed()) {
            log.retire(); // it may have failed after it was asked
        }
        if (now || idle) {
            worker.wake();
        }
    }

    /** Removes a log that has ended, or whose newest segment is on another disk. */
    public void remove(PacedLog log) {
        unflushed.remove(log);
    }

    private long step(long nowNanos) {
        idle = true;
        List<Pacer.Candidate<PacedLog>> candidates = candidates();
        idle = candidates.isEmpty();
        // Nobody else looks at a log that has no appends, and is not flushed in time.
        candidates.forEach(candidate -> dir.reportIfItExceeds(candidate.log(), this, settings.get(), nowNanos));
        long owedNanos = ceiling.waitNanos(nowNanos);
        if (owedNanos > 0 && !candidates.isEmpty()) {
            limit = Pacer.Limit.CEILING;
            return Math.min(owedNanos, LONGEST_WAIT_NANOS);
        }
        boolean syncRuns = syncfs.isRunning(nowNanos);
        Pacer.Turn<PacedLog> turn = pacer.next(candidates, settings.get(), maySync.getAsBoolean(), nowNanos);
        plannedBytesPerSecond = turn.bytesPerSecond();
        limit = turn.limit();
        dir.counts().add(FlushCounter.ESCAPES, turn.escapes());
        for (PacedLog log : turn.logs()) {
            if (!flush(log)) {
                return Long.MAX_VALUE;
            }
        }
        if (turn.syncs() && !syncRuns) {
            syncfs.begin(candidates.get(0).log().activeFile(), nowNanos);
        }
        long tookNanos = turn.logs().isEmpty() ? 0 : System.nanoTime() - nowNanos;
        return Math.max(0, turn.waitNanos() - tookNanos);
    }

    private List<Pacer.Candidate<PacedLog>> candidates() {
        List<Pacer.Candidate<PacedLog>> candidates = new ArrayList<>();
        for (Iterator<PacedLog> logs = unflushed.iterator(); logs.hasNext(); ) {
            PacedLog log = logs.next();
            UnflushedLog.Pending pending = log.unflushed().pending();
            if (pending == null) {
                logs.remove();
                pending = log.unflushed().pending();
                if (pending == null) {
                    continue;
                }
                unflushed.add(log); // an append came in between, and may have added the log before it was removed
            }
            candidates.add(new Pacer.Candidate<>(log, pending, log.jitter()));
        }
        return candidates;
    }

    /** Answers whether the log directory can still be used. */
    private boolean flush(PacedLog log) {
        UnflushedLog.Pending pending = log.unflushed().pending();
        if (pending == null) {
            return !dir.hasFailed();
        }
        long beganNanos = System.nanoTime();
        dir.reportIfItExceeds(log, this, settings.get(), beganNanos);
        ceiling.reserve(pending.bytes(), beganNanos);
        flushBeganNanos = beganNanos;
        try {
            return dir.flush(log, pending);
        } finally {
            pacer.flushed(pending.bytes(), System.nanoTime() - beganNanos);
            flushBeganNanos = null;
        }
    }

    /** Why a log exceeds its bounds now, and what to do. */
    String cause(long nowNanos) {
        Long beganNanos = flushBeganNanos;
        if (beganNanos != null && nowNanos - beganNanos > HANG_NANOS) {
            return "A flush has been running for " + TimeUnit.NANOSECONDS.toMillis(nowNanos - beganNanos)
                    + " ms: the disk is overloaded, or it hangs. Check the disk.";
        }
        return switch (limit) {
            case CEILING -> "The ceiling flush.ratelimit.device.bytes.per.second is below what comes in. Raise it.";
            case BUDGET ->
                "To flush so many partitions in time would take more than a quarter of the disk's time. Raise"
                        + " the bounds, or spread the partitions over more disks.";
            case DISK -> "More data comes in than the disk writes. Spread the load over more disks.";
        };
    }

    /** The log directory has failed: ends the pacing of all logs. */
    void fail() {
        List.copyOf(unflushed).forEach(PacedLog::retire);
        plannedBytesPerSecond = 0;
    }

    private static void report(String worker, Throwable failure) {
        LOG.error(
                "{} failed and resumes after a pause; until then, unflushed data may exceed its bounds.",
                worker,
                failure);
    }

    /** Adds up what this worker still has to flush. */
    FlushBacklog backlog(long nowNanos) {
        FlushBacklog backlog = new FlushBacklog(0, 0, 0, plannedBytesPerSecond, 0);
        for (PacedLog log : unflushed) {
            UnflushedLog.Pending pending = log.unflushed().pending();
            if (pending != null) {
                long ageNanos = nowNanos - pending.sinceNanos();
                backlog = backlog.plus(new FlushBacklog(pending.bytes(), pending.bytes(), ageNanos, 0, 0));
            }
        }
        return backlog;
    }
}
