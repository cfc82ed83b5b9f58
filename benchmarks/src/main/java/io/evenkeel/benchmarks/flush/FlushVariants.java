/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Variant;
import java.util.List;
import java.util.Map;

/** The ways in which a broker can flush its logs. Stateless. */
final class FlushVariants {
    static final Variant DEFAULT = byCount("default", "Kafka's default: no flush by count or time", Long.MAX_VALUE);
    static final Variant COUNT_50000 = byCount("count-50000", "every 50,000 messages", 50_000);
    static final Variant RATE = byRate("rate", "by rate", -1);

    static final List<Variant> ALL = List.of(
            DEFAULT,
            COUNT_50000,
            byCount("count-1000", "every 1,000 messages", 1000),
            RATE,
            byRate("rate-ceiling", "by rate, device ceiling 30 MB/s", 30_000_000));

    private FlushVariants() {}

    private static Variant byCount(String name, String title, long messages) {
        return new Variant(name, title, false, Map.of("log.flush.interval.messages", String.valueOf(messages)));
    }

    private static Variant byRate(String name, String title, long deviceBytesPerSecond) {
        return new Variant(
                name,
                title,
                true,
                Map.of(
                        "flush.ratelimit.enable",
                        "true",
                        "flush.ratelimit.device.bytes.per.second",
                        String.valueOf(deviceBytesPerSecond)));
    }
}
