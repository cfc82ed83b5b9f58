/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.UnflushedLog;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts when a log of a log directory exceeds a bound, and warns now and then. Thread safe. */
final class BoundsReport {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String logDir;
    private final FlushCounts counts;
    private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());

    BoundsReport(String logDir, FlushCounts counts) {
        this.logDir = logDir;
        this.counts = counts;
    }

    /** @param cause a sentence that says why, and what to do */
    void exceeded(PacedLog log, UnflushedLog.Pending pending, FlushSettings bounds, String cause, long nowNanos) {
        counts.increment(FlushCounter.BOUNDS_EXCEEDED);
        if (bounds.isShadow()) {
            return; // nothing is at risk that was not before
        }
        long dueNanos = nextWarningNanos.get();
        if (nowNanos - dueNanos >= 0 && nextWarningNanos.compareAndSet(dueNanos, nowNanos + QUIET_NANOS)) {
            LOG.warn(
                    "{} exceeds a bound of flushing by rate: {} bytes are unflushed, for {} ms, on the disk of {}"
                            + " (flush.ratelimit.max.unflushed.bytes={}, flush.ratelimit.max.unflushed.ms={}). {}"
                            + " Appends go on; if all replicas lost power now, more than the bounds would be lost.",
                    log.name(),
                    pending.bytes(),
                    TimeUnit.NANOSECONDS.toMillis(nowNanos - pending.sinceNanos()),
                    logDir,
                    bounds.maxUnflushedBytes(),
                    bounds.maxUnflushedMs(),
                    cause);
        }
    }
}
