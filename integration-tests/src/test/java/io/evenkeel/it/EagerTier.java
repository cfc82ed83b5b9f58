/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import io.evenkeel.testkit.BrokerConfig;

/** A configuration with small segments and a tier that copies and evicts early. Stateless. */
public final class EagerTier {
    public static final int SEGMENT_BYTES = 1 << 20;

    private EagerTier() {}

    /**
     * The tier evicts the oldest segments once about ten are on the SSD; the SSD has room for many more. The settings
     * of the tier do not matter to a stock broker.
     */
    public static BrokerConfig on(BrokerConfig config) {
        return config.with("log.segment.bytes", SEGMENT_BYTES)
                .with("offsets.topic.segment.bytes", SEGMENT_BYTES)
                .with("transaction.state.log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.check.interval.ms", 300)
                .with("log.segment.delete.delay.ms", 500)
                .with("log.initial.task.delay.ms", 300)
                .with("log.cleaner.backoff.ms", 300)
                .with("tiered.ssd.capacity.bytes", 64 * SEGMENT_BYTES)
                .with("tiered.ssd.high.watermark.ratio", "0.15")
                .with("tiered.ssd.low.watermark.ratio", "0.1")
                .with("tiered.ssd.copy.interval.ms", 50);
    }
}
