/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.CopyLag;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierSnapshot;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a walk over all segments counts. Not thread safe: made and read by whoever walks. */
final class Census {
    private final long nowNanos;
    private final Map<SegmentState, Long> segments = TierSnapshot.zeros();
    private final Map<SegmentState, Long> bytes = TierSnapshot.zeros();
    private long quarantine;
    private long waiting;
    private long waitingBytes;
    private long longestWaitNanos;

    Census(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    void count(Segment segment) {
        SegmentState state = segment.state();
        segments.merge(state, 1L, Long::sum);
        bytes.merge(state, segment.sizeBytes(), Long::sum);
        if (segment.isQuarantined()) {
            quarantine++;
        } else if (segment.isWaiting()) {
            waiting++;
            waitingBytes += segment.sizeBytes();
            longestWaitNanos = Math.max(longestWaitNanos, nowNanos - segment.waitingSinceNanos());
        }
    }

    Map<SegmentState, Long> segments() {
        return segments;
    }

    Map<SegmentState, Long> bytes() {
        return bytes;
    }

    long quarantine() {
        return quarantine;
    }

    CopyLag lag() {
        return new CopyLag(waiting, waitingBytes, TimeUnit.NANOSECONDS.toMillis(longestWaitNanos));
    }
}
