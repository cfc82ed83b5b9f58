/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.CopyLag;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierSnapshot;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The counts of one walk over all segments. Not thread safe: the walking thread makes and reads it. */
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
        long sizeBytes = segment.storage().sizeBytes();
        segments.merge(state, 1L, Long::sum);
        bytes.merge(state, sizeBytes, Long::sum);
        if (segment.isQuarantined()) {
            quarantine++;
        } else if (segment.isWaiting()) {
            waiting++;
            waitingBytes += sizeBytes;
            longestWaitNanos =
                    Math.max(longestWaitNanos, nowNanos - segment.life().waitingSinceNanos());
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
