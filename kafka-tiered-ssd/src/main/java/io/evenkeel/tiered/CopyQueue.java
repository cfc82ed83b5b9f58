/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The segments that wait to be copied to one HDD, in the order in which they were sealed. Thread safe.
 *
 * <p>A segment may have been truncated, deleted or renamed since it was offered: ask the segment itself when it is
 * polled. Each segment waits once, however often it is offered.
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
