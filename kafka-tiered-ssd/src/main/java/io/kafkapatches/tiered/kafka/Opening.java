/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.tiered.SegmentRequest;
import org.apache.kafka.common.config.AbstractConfig;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the segment that this thread is opening: Kafka's file layer, which we are asked by, does not know it. Each
 * thread has its own.
 */
final class Opening {
    /** Nothing is preallocated yet. */
    private static final ThreadLocal<SegmentRequest> REQUEST = new ThreadLocal<>();
    /** A log rolls and opens its next segment by the same thread. */
    private static final ThreadLocal<Long> ROLLING_TIME_MS = new ThreadLocal<>();

    private Opening() {}

    /** The log rolls, for records whose newest timestamp this is. */
    static void rolls(long dataTimeMs) {
        ROLLING_TIME_MS.set(dataTimeMs);
    }

    /** The next files of this thread, until {@link #end}, are those of a segment of a log with this config. */
    static void begin(AbstractConfig config) {
        Long rollingTimeMs = ROLLING_TIME_MS.get();
        REQUEST.set(new SegmentRequest(
                config.getInt("segment.bytes"),
                0,
                TopicPlacement.of(config),
                rollingTimeMs == null ? SegmentRequest.UNKNOWN_TIME : rollingTimeMs));
    }

    static void end() {
        REQUEST.remove();
        ROLLING_TIME_MS.remove();
    }

    /** Null when no segment is being opened. */
    static @Nullable SegmentRequest request() {
        return REQUEST.get();
    }
}
