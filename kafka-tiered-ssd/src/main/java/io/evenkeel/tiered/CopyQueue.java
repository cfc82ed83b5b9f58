/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The segments that wait to be copied to one HDD, in the order in which they were sealed. Thread safe.
 *
 * <p>What is offered may be out of date when it is polled (truncated, deleted, renamed): the segment itself knows. Each
 * waits once, however often it is offered.
 */
final class CopyQueue {
    private final ConcurrentLinkedQueue<Segment> segments = new ConcurrentLinkedQueue<>();
    private final Set<Segment> waiting = ConcurrentHashMap.newKeySet();

    void offer(Segment segment) {
        if (waiting.add(segment)) {
            segments.add(segment);
        }
    }

    @Nullable
    Segment poll() {
        Segment segment = segments.poll();
        if (segment != null) {
            waiting.remove(segment);
        }
        return segment;
    }
}
