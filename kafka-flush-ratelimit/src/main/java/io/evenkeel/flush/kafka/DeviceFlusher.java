/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.core.Worker;
import io.evenkeel.flush.DirtyLog;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.Pacer;
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
 * Forces the dirty logs of one log directory whose newest segments are on one disk, as the pacer says, on a thread of
 * its own. Thread safe.
 */
final class DeviceFlusher {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    /** The ceiling may be raised while it waits. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LogDirFlusher dir;
    private final Supplier<FlushRates> rates;
    private final RateLimiter ceiling;
    private final Set<PacedLog> dirty = ConcurrentHashMap.newKeySet();
    /** Only the worker's. */
    private final Pacer<PacedLog> pacer;

    private final FileSystemSync sync = new FileSystemSync();

    private final Worker worker;
    /** Set before the worker looks at what is dirty, so that nobody who comes later relies on that look. */
    private volatile boolean idle;

    private volatile double plannedBytesPerSecond;

    /**
     * @param name of the thread
     * @param pacer for this alone
     * @param rates those in force
     * @param ceiling of the disk, for all who write to it
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

    /** Whether the caller is a force of this. */
    boolean isForcing() {
        return worker.isCurrent();
    }

    /** The rates have changed. */
    void look() {
        worker.wake();
    }

    /**
     * The log is dirty.
     *
     * @param now whether it is due, too
     */
    void look(PacedLog log, boolean now) {
        if (dir.hasFailed()) {
            log.retire();
            return;
        }
        dirty.add(log);
        if (now || idle) {
            worker.wake();
        }
    }

    void forget(PacedLog log) {
        dirty.remove(log);
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
        dir.counts().escapes.add(turn.escapes());
        for (PacedLog log : turn.logs()) {
            if (!force(log)) {
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
        for (Iterator<PacedLog> logs = dirty.iterator(); logs.hasNext(); ) {
            PacedLog log = logs.next();
            DirtyLog.Pending pending = log.dirty().pending();
            if (pending == null) {
                logs.remove();
                pending = log.dirty().pending();
                if (pending == null) {
                    continue;
                }
                dirty.add(log); // it became dirty in between, and may have told so before it was removed
            }
            candidates.add(new Pacer.Candidate<>(log, pending, log.jitter()));
        }
        return candidates;
    }

    /** The disk that this log's newest segment is on. */
    private void sync(PacedLog log) {
        if (sync.begin(log.activeFile())) {
            dir.counts().syncs.increment();
        } else {
            pacer.doNotSync();
        }
    }

    private boolean force(PacedLog log) {
        DirtyLog.Pending pending = log.dirty().pending();
        if (pending == null) {
            return !dir.hasFailed();
        }
        ceiling.reserve(pending.bytes(), System.nanoTime());
        return dir.force(log, pending);
    }

    /** The log directory has failed. */
    void fail() {
        List.copyOf(dirty).forEach(PacedLog::retire);
        plannedBytesPerSecond = 0;
    }

    private static void report(String worker, Throwable failure) {
        LOG.error("{} failed and will go on after a pause; appends wait when a bound is used up.", worker, failure);
    }

    Set<PacedLog> dirty() {
        return dirty;
    }

    double plannedBytesPerSecond() {
        return plannedBytesPerSecond;
    }
}
