/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The sealed segments of one log directory that wait to be copied, in the order in which they were sealed. Thread safe.
 *
 * <p>What is offered may be out of date when it is polled (truncated, deleted, renamed): the segment itself knows.
 */
final class SyncQueue {
    private final ConcurrentLinkedQueue<Segment> segments = new ConcurrentLinkedQueue<>();

    void offer(Segment segment) {
        segments.add(segment);
    }

    @Nullable
    Segment poll() {
        return segments.poll();
    }
}
