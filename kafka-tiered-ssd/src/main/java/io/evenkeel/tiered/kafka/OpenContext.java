/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.OpenRequest;
import org.apache.kafka.common.config.AbstractConfig;
import org.jspecify.annotations.Nullable;

/**
 * The config of the segment that this thread opens. Kafka's file layer, which calls us, does not know it. Each thread
 * has its own.
 */
final class OpenContext {
    private static final ThreadLocal<OpenContext> OF_THREAD = ThreadLocal.withInitial(OpenContext::new);

    /** The config that the last request was made of: a start opens all segments of a log one after the other. */
    private @Nullable AbstractConfig config;

    private @Nullable OpenRequest request;
    private boolean underWay;

    private OpenContext() {}

    /** The next files of this thread, until {@link #end}, are those of a segment of a log with this config. */
    static void begin(AbstractConfig config) {
        OF_THREAD.get().prepare(config);
    }

    @SuppressWarnings(
            "ReferenceEquality") // a changed config is another object, and to compare all values would take longer
    private void prepare(AbstractConfig of) {
        if (request == null || config != of) {
            // nothing is preallocated yet
            request = new OpenRequest(of.getInt("segment.bytes"), 0, TopicPlacement.of(of));
            config = of;
        }
        underWay = true;
    }

    static void end() {
        OF_THREAD.get().underWay = false;
    }

    /** Null when no segment is being opened. */
    static @Nullable OpenRequest request() {
        OpenContext context = OF_THREAD.get();
        return context.underWay ? context.request : null;
    }
}
