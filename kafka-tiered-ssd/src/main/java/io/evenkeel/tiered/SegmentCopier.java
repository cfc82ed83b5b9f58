/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.CopyBudget;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.CopyFailure;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The copier: copies the sealed segments of one HDD's log directories to that HDD, one after the other. Not thread
 * safe: one worker runs it.
 *
 * <p>A copy that fails is begun again after the other segments, and after a pause that grows with each failure in a
 * row. A segment that fails {@value #MAX_FAILURES} times while others succeed is quarantined. As long as no copy
 * succeeds, the device is at fault, and the copier tries all segments again until the device works.
 */
final class SegmentCopier {
    static final int MAX_FAILURES = 5;

    /** The operator may change the rate or the mode while the copier waits, so it reads them at least this often. */
    static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FileOps files;
    private final CopyQueue queue;
    private final CopyBudget budget;
    private final Backoff backoff;
    private final Supplier<DynamicTierSettings> settings;
    private final TierListener listener;
    private final TierCounts counts;
    private final DirectIoBuffer buffer = new DirectIoBuffer();
    private @Nullable SegmentCopy running;
    private boolean succeededSinceFailure;

    SegmentCopier(
            FileOps files,
            CopyQueue queue,
            CopyBudget budget,
            Backoff backoff,
            Supplier<DynamicTierSettings> settings,
            TierListener listener,
            TierCounts counts) {
        this.files = files;
        this.queue = queue;
        this.budget = budget;
        this.backoff = backoff;
        this.settings = settings;
        this.listener = listener;
        this.counts = counts;
    }

    /**
     * Does one step of the running copy, or begins the next.
     *
     * @return the time to wait before the next step
     */
    long step(long nowNanos) throws IOException {
        DynamicTierSettings now = settings.get();
        long idleNanos = TimeUnit.MILLISECONDS.toNanos(now.copyIntervalMs());
        if (now.mode() == TierMode.PAUSED) {
            abandon();
            return idleNanos;
        }
        long waitNanos = budget.waitNanos(now, nowNanos);
        if (waitNanos > 0) {
            return Math.min(waitNanos, LONGEST_WAIT_NANOS);
        }
        SegmentCopy copy = running == null ? next() : running;
        running = copy;
        return copy == null ? idleNanos : step(copy, nowNanos);
    }

    /** @return the time to pause after a failure, or 0 */
    private long step(SegmentCopy copy, long nowNanos) throws IOException {
        try {
            if (copy.isWriting()) {
                budget.written(copy.step(), nowNanos);
            } else {
                budget.readBack(copy.step(), nowNanos);
            }
            if (copy.isDone()) {
                running = null;
                copy.close();
                finished(copy);
            }
            return 0;
        } catch (IOException e) {
            running = null;
            return failed(copy, CopyFailure.of(e));
        }
    }

    /** Leaves neither an open file nor half a copy behind; the segment is copied from its beginning later. */
    private void abandon() throws IOException {
        SegmentCopy copy = running;
        if (copy != null) {
            running = null;
            queue.offer(copy.segment());
            copy.close();
        }
    }

    private @Nullable SegmentCopy next() {
        Segment segment;
        while ((segment = queue.poll()) != null) {
            CopyTicket ticket = segment.beginCopy();
            if (ticket != null) {
                return new SegmentCopy(files, segment, ticket, buffer);
            }
        }
        return null;
    }

    private void finished(SegmentCopy copy) {
        if (copy.isPublished()) {
            backoff.succeeded();
            succeededSinceFailure = true;
            counts.copied(copy.sizeBytes());
            listener.copied(copy.segment().path(), copy.sizeBytes());
        } else if (copy.segment().isWaiting()) {
            queue.offer(copy.segment()); // no other event offers it again
        }
    }

    /** @return the time to pause */
    private long failed(SegmentCopy copy, CopyFailure failure) {
        IOException shown = failure.failure();
        try {
            copy.close();
        } catch (IOException e) {
            shown.addSuppressed(e);
        }
        Segment segment = copy.segment();
        if (segment.beginCopy() == null && !segment.isQuarantined()) {
            return 0; // Kafka deleted or renamed it during the copy: not a failure
        }
        int failures = segment.life().copyFailed();
        CopyFailure.Cause cause = failure.reason();
        if (cause == CopyFailure.Cause.GONE && failures == 1) {
            queue.offer(segment);
            return backoff.failed(); // Kafka may have renamed the directory, and the segment gets to know in a moment
        }
        counts.copyFailed();
        if (cause.isSource()) {
            SsdFile source = copy.source();
            source.dir().suspect(source.path(), shown, listener);
        }
        if (cause == CopyFailure.Cause.SOURCE_DOUBTFUL || (failures >= MAX_FAILURES && succeededSinceFailure)) {
            segment.life().quarantine();
        }
        succeededSinceFailure = false;
        if (segment.isQuarantined()) {
            listener.quarantine(segment.path(), shown);
        } else {
            listener.copyFailed(segment.path(), shown);
            queue.offer(segment);
        }
        return backoff.failed();
    }
}
