/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.core.Worker;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.Pacer;
import io.evenkeel.flush.UnflushedLog;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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

    private final LogDirFlusher dir;
    private final Supplier<FlushRates> rates;
    private final RateLimiter ceiling;
    private final Set<PacedLog> unflushed = ConcurrentHashMap.newKeySet();
    /** Only the worker uses it. */
    private final Pacer<PacedLog> pacer;
    /** Only the worker uses it. */
    private final Syncfs syncfs = new Syncfs();

    private final Worker worker;
    /** Set before the worker collects the logs, so that a log that is added later wakes the worker. */
    private volatile boolean idle;

    private volatile double plannedBytesPerSecond;

    /**
     * @param name of the thread
     * @param pacer for this worker alone
     * @param rates the current ones
     * @param ceiling of the disk, shared by all writers of that disk
     */
    DeviceFlusher(
            String name, LogDirFlusher dir, Pacer<PacedLog> pacer, Supplier<FlushRates> rates, RateLimiter ceiling) {
        this.dir = dir;
        this.pacer = pacer;
        this.rates = rates;
        this.ceiling = ceiling;
        this.worker = new Worker(name, this::step, DeviceFlusher::report);
    }

    void start() {
        worker.start();
    }

    /** Whether the calling thread is this worker. */
    boolean isFlushing() {
        return worker.isCurrent();
    }

    /** Makes the worker use changed rates. */
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
        long owedNanos = ceiling.waitNanos(nowNanos);
        if (owedNanos > 0 && !candidates.isEmpty()) {
            return Math.min(owedNanos, LONGEST_WAIT_NANOS);
        }
        Pacer.Turn<PacedLog> turn = pacer.next(candidates, rates.get(), nowNanos);
        plannedBytesPerSecond = turn.bytesPerSecond();
        dir.counts().add(FlushCounter.ESCAPES, turn.escapes());
        for (PacedLog log : turn.logs()) {
            if (!flush(log)) {
                return Long.MAX_VALUE;
            }
        }
        if (turn.syncs()) {
            sync(candidates.get(0).log());
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

    /** Begins a syncfs of the disk that holds this log's newest segment. */
    private void sync(PacedLog log) {
        if (syncfs.begin(log.activeFile())) {
            dir.counts().increment(FlushCounter.SYNCS);
        } else {
            pacer.doNotSync();
        }
    }

    private boolean flush(PacedLog log) {
        UnflushedLog.Pending pending = log.unflushed().pending();
        if (pending == null) {
            return !dir.hasFailed();
        }
        ceiling.reserve(pending.bytes(), System.nanoTime());
        return dir.flush(log, pending);
    }

    /** The log directory has failed: ends the pacing of all logs. */
    void fail() {
        List.copyOf(unflushed).forEach(PacedLog::retire);
        plannedBytesPerSecond = 0;
    }

    private static void report(String worker, Throwable failure) {
        LOG.error("{} failed and resumes after a pause; appends wait when a bound is used up.", worker, failure);
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
