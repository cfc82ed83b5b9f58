/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.flush.kafka;

import io.kafkapatches.core.Worker;
import io.kafkapatches.flush.DirtyLog;
import io.kafkapatches.flush.FlushRates;
import io.kafkapatches.flush.FlushSettings;
import io.kafkapatches.flush.Pacer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forces the dirty logs of one log directory as the pacer says, on a thread of its own. Thread safe. */
final class LogDirFlusher {
    private static final Logger LOG = LoggerFactory.getLogger("io.kafkapatches.flush");

    private final String path;
    private final FlushCounts counts = new FlushCounts();
    private final Handlers handlers;
    private final Set<PacedLog> dirty = ConcurrentHashMap.newKeySet();
    /** Only the worker's. */
    private final Pacer<PacedLog> pacer;

    private final Worker worker;
    private final Supplier<FlushRates> rates;
    /** Set before the worker looks at what is dirty, so that nobody who comes later relies on that look. */
    private volatile boolean idle;

    private volatile boolean failed;
    private volatile double plannedBytesPerSecond;

    /**
     * @param settings only the bounds of them
     * @param rates those in force
     * @param handlers that appends to it may hold
     */
    LogDirFlusher(String path, FlushSettings settings, Supplier<FlushRates> rates, Handlers handlers) {
        this.path = path;
        this.handlers = handlers;
        this.pacer = new Pacer<>(settings);
        this.rates = rates;
        this.worker = new Worker("kafka-patches-flush " + path, this::step, LogDirFlusher::report);
    }

    void start() {
        worker.start();
    }

    FlushCounts counts() {
        return counts;
    }

    Handlers handlers() {
        return handlers;
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
        if (failed) {
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
        Pacer.Turn<PacedLog> turn = pacer.next(candidates, rates.get(), nowNanos);
        plannedBytesPerSecond = turn.bytesPerSecond();
        counts.escapes.add(turn.escapes());
        for (PacedLog log : turn.logs()) {
            if (!force(log)) {
                return Long.MAX_VALUE;
            }
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

    /** Answers whether the log directory can still be used. */
    private boolean force(PacedLog log) {
        if (failed) {
            return false;
        }
        DirtyLog.Pending pending = log.dirty().pending();
        long beginNanos = System.nanoTime();
        try {
            long bytes = log.force();
            if (bytes > 0 && pending != null) {
                long tookNanos = System.nanoTime() - beginNanos;
                counts.forces.increment();
                counts.forcedBytes.add(bytes);
                counts.forceNanos.add(tookNanos);
                counts.longestForceNanos.accumulate(tookNanos);
                counts.turnWaitNanos.add(Math.max(0, beginNanos - pending.sinceNanos()));
            }
            return true;
        } catch (IOException e) {
            fail(e);
            return false;
        }
    }

    private void fail(IOException cause) {
        failed = true;
        LOG.error("Nothing is forced by rate any more in {}, until the broker is restarted", path, cause);
        List.copyOf(dirty).forEach(PacedLog::retire);
        plannedBytesPerSecond = 0;
    }

    private static void report(String worker, Throwable failure) {
        LOG.error("{} failed and will go on after a pause; appends wait when a bound is used up.", worker, failure);
    }

    FlushSnapshot snapshot(long nowNanos) {
        long bytes = 0;
        long most = 0;
        long oldest = 0;
        for (PacedLog log : dirty) {
            DirtyLog.Pending pending = log.dirty().pending();
            if (pending != null) {
                bytes += pending.bytes();
                most = Math.max(most, pending.bytes());
                oldest = Math.max(oldest, nowNanos - pending.sinceNanos());
            }
        }
        return new FlushSnapshot(
                bytes,
                most,
                oldest,
                counts.highestBytes.get(),
                counts.highestSpanNanos.get(),
                (long) plannedBytesPerSecond,
                counts.forces.sum(),
                counts.forcedBytes.sum(),
                counts.forceNanos.sum(),
                counts.longestForceNanos.get(),
                counts.turnWaitNanos.sum(),
                counts.escapes.sum(),
                counts.waitingAppends.sum(),
                counts.appendWaits.sum(),
                counts.appendWaitNanos.sum(),
                counts.refusedAppends.sum(),
                counts.putOffAppends.sum(),
                failed ? 1 : 0);
    }
}
