/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import io.kafkapatches.core.RateLimiter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies the sealed segments of one log directory to its HDD, one after the other. Not thread safe: one worker runs it.
 *
 * <p>A copy that fails is begun anew, after the other segments, and after a pause that grows with each failure in a row. A
 * segment that fails {@value #MAX_FAILURES} times while others succeed is set aside. As long as nothing succeeds it is the
 * device, and all are tried again until it is well.
 */
final class Syncer {
    static final int MAX_FAILURES = 5;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What all syncers have done since the start. */
    record Counts(LongAdder segments, LongAdder bytes, LongAdder failures) {
        Counts() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    private final FileLayer files;
    private final SyncQueue queue;
    private final RateLimiter limiter;
    private final Supplier<DynamicSettings> settings;
    private final TierListener listener;
    private final Counts counts;
    private final ChunkBuffer buffer = new ChunkBuffer();
    private @Nullable SegmentCopy running;
    private int failuresInARow;
    private boolean succeededSinceFailure;

    Syncer(
            FileLayer files,
            SyncQueue queue,
            RateLimiter limiter,
            Supplier<DynamicSettings> settings,
            TierListener listener,
            Counts counts) {
        this.files = files;
        this.queue = queue;
        this.limiter = limiter;
        this.settings = settings;
        this.listener = listener;
        this.counts = counts;
    }

    /** Does one step of the running copy, or begins the next; answers how long to wait. */
    long step(long nowNanos) throws IOException {
        if (settings.get().mode() == TierMode.PAUSED) {
            return TimeUnit.MILLISECONDS.toNanos(settings.get().syncIntervalMs());
        }
        SegmentCopy copy = running;
        if (copy == null) {
            copy = next();
            if (copy == null) {
                return TimeUnit.MILLISECONDS.toNanos(settings.get().syncIntervalMs());
            }
            running = copy;
        }
        try {
            long waitNanos = copy.step(nowNanos);
            if (copy.isDone()) {
                running = null;
                copy.close();
                finished(copy);
            }
            return waitNanos;
        } catch (IOException e) {
            running = null;
            return failed(copy, e);
        }
    }

    private @Nullable SegmentCopy next() {
        Segment segment;
        while ((segment = queue.poll()) != null) {
            Segment.CopyTicket ticket = segment.beginCopy();
            if (ticket != null) {
                return new SegmentCopy(files, segment, ticket, buffer, limiter);
            }
        }
        return null;
    }

    private void finished(SegmentCopy copy) {
        if (copy.isPublished()) {
            failuresInARow = 0;
            succeededSinceFailure = true;
            counts.segments.increment();
            counts.bytes.add(copy.sizeBytes());
            listener.synced(copy.segment().path(), copy.sizeBytes());
        }
    }

    private long failed(SegmentCopy copy, IOException failure) {
        try {
            copy.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        Segment segment = copy.segment();
        if (segment.beginCopy() == null && !segment.isSetAside()) {
            return 0; // deleted or renamed under the copy: not a failure
        }
        counts.failures.increment();
        if (copy.isSourceDoubtful() || (segment.copyFailed() >= MAX_FAILURES && succeededSinceFailure)) {
            segment.setAside();
        }
        succeededSinceFailure = false;
        if (segment.isSetAside()) {
            listener.setAside(segment.path(), failure);
        } else {
            listener.syncFailed(segment.path(), failure);
            queue.offer(segment);
        }
        failuresInARow++;
        return Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(failuresInARow, 10));
    }
}
