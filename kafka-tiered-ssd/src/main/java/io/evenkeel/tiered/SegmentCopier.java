/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies the sealed segments of one HDD's log directories to it, one after the other. Not thread safe: one worker runs
 * it.
 *
 * <p>A copy that fails is begun anew, after the other segments, and after a pause that grows with each failure in a
 * row. A segment that fails {@value #MAX_FAILURES} times while others succeed is set aside. As long as nothing succeeds
 * it is the device, and all are tried again until it is well.
 */
final class SegmentCopier {
    static final int MAX_FAILURES = 5;

    /** The rate may be raised, or the mode changed, while it waits: it looks again at least this often. */
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

    /** Does one step of the running copy, or begins the next; answers how long to wait. */
    long step(long nowNanos) throws IOException {
        DynamicTierSettings now = settings.get();
        long idleNanos = TimeUnit.MILLISECONDS.toNanos(now.copyIntervalMs());
        if (now.mode() == TierMode.PAUSED) {
            giveUp();
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

    /** Answers how long to pause if it fails. */
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
            return failed(copy, e);
        }
    }

    /** Leaves neither an open file nor half a copy behind; the segment is copied from its beginning some other time. */
    private void giveUp() throws IOException {
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
            Segment.CopyTicket ticket = segment.beginCopy();
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
            queue.offer(copy.segment()); // changed in a way that offers it nowhere else
        }
    }

    private long failed(SegmentCopy copy, IOException failure) {
        try {
            copy.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        Segment segment = copy.segment();
        if (segment.beginCopy() == null && !segment.isQuarantined()) {
            return 0; // deleted or renamed under the copy: not a failure
        }
        int failures = segment.copyFailed();
        if (failures == 1 && failure instanceof NoSuchFileException && !copy.isSourceFailed()) {
            queue.offer(segment);
            return backoff.failed(); // Kafka may have renamed the directory, and will tell the segment in a moment
        }
        counts.copyFailed();
        SsdFile source = copy.source();
        if (copy.isSourceFailed()) {
            source.dir().suspect(source.path(), failure, listener);
        }
        if (copy.isSourceDoubtful() || (failures >= MAX_FAILURES && succeededSinceFailure)) {
            segment.quarantine();
        }
        succeededSinceFailure = false;
        if (segment.isQuarantined()) {
            listener.quarantine(segment.path(), failure);
        } else {
            listener.copyFailed(segment.path(), failure);
            queue.offer(segment);
        }
        return backoff.failed();
    }
}
