/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.testkit.BrokerConfig;
import java.util.Map;

/** A way in which a broker gets its logs to the disk. */
enum FlushVariant {
    DEFAULT("Kafka's default: no forced flush", false, "log.flush.interval.messages", String.valueOf(Long.MAX_VALUE)),
    COUNT_50000("every 50,000 messages", false, "log.flush.interval.messages", "50000"),
    COUNT_1000("every 1,000 messages", false, "log.flush.interval.messages", "1000"),
    RATE("by rate", true, "flush.ratelimit.device.bytes.per.second", "-1"),
    RATE_CEILING("by rate, device ceiling 30 MB/s", true, "flush.ratelimit.device.bytes.per.second", "30000000");

    private final String title;
    private final boolean patched;
    private final String key;
    private final String value;

    FlushVariant(String title, boolean patched, String key, String value) {
        this.title = title;
        this.patched = patched;
        this.key = key;
        this.value = value;
    }

    String title() {
        return title;
    }

    boolean isPatched() {
        return patched;
    }

    /** @param patchedProperties more for a patched broker */
    BrokerConfig of(BrokerConfig stock, Map<String, String> patchedProperties) {
        BrokerConfig config = stock.with(key, value);
        return patched
                ? config.with("flush.ratelimit.enable", true)
                        .with(patchedProperties)
                        .patched()
                : config;
    }
}
