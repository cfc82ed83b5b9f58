/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.HddReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the tier's work since the start. Thread safe. */
final class TierCounts {
    private final LongAdder copiedSegments = new LongAdder();
    private final LongAdder copiedBytes = new LongAdder();
    private final LongAdder copyFailures = new LongAdder();
    private final LongAdder evictedSegments = new LongAdder();
    private final LongAdder evictedBytes = new LongAdder();
    private final Map<HddReason, LongAdder> placedOnHdd = new ConcurrentHashMap<>();

    void copied(long bytes) {
        copiedSegments.increment();
        copiedBytes.add(bytes);
    }

    void copyFailed() {
        copyFailures.increment();
    }

    void evicted(long bytes) {
        evictedSegments.increment();
        evictedBytes.add(bytes);
    }

    void placedOnHdd(HddReason reason) {
        placedOnHdd.computeIfAbsent(reason, any -> new LongAdder()).increment();
    }

    long copiedSegments() {
        return copiedSegments.sum();
    }

    long copiedBytes() {
        return copiedBytes.sum();
    }

    long copyFailures() {
        return copyFailures.sum();
    }

    long evictedSegments() {
        return evictedSegments.sum();
    }

    long evictedBytes() {
        return evictedBytes.sum();
    }

    Map<HddReason, Long> placedOnHdd() {
        Map<HddReason, Long> counts = new EnumMap<>(HddReason.class);
        placedOnHdd.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }
}
