/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.tiered.SegmentState;
import io.kafkapatches.tiered.TierSnapshot;
import io.kafkapatches.tiered.TieredSsd;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** The tier's gauges, as Kafka has its own: {@code kafka.log:type=TieredSsd,name=…}. Stateless. */
final class TierMetrics {
    private TierMetrics() {}

    static void register(TieredSsd tier) {
        KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.log", "TieredSsd");
        gauges().forEach((name, value) -> group.newGauge(name, () -> value.applyAsLong(tier.snapshot())));
    }

    private static Map<String, ToLongFunction<TierSnapshot>> gauges() {
        Map<String, ToLongFunction<TierSnapshot>> gauges = new LinkedHashMap<>();
        byState(gauges, SegmentState.ONLY_CACHE, "OnlyCache");
        byState(gauges, SegmentState.CACHED, "Cached");
        byState(gauges, SegmentState.WITHOUT_CACHE, "WithoutCache");
        gauges.put("SsdUsedBytes", TierSnapshot::ssdUsedBytes);
        gauges.put("SyncedSegments", TierSnapshot::syncedSegments);
        gauges.put("SyncedBytes", TierSnapshot::syncedBytes);
        gauges.put("SyncFailures", TierSnapshot::syncFailures);
        gauges.put("EvictedSegments", TierSnapshot::evictedSegments);
        gauges.put("EvictedBytes", TierSnapshot::evictedBytes);
        gauges.put("PlacedOnHdd", TierSnapshot::refusedBySsd);
        gauges.put("SuspectSsds", TierSnapshot::suspectSsds);
        gauges.put("SsdReadBytes", TierSnapshot::ssdReadBytes);
        gauges.put("HddReadBytes", TierSnapshot::hddReadBytes);
        return gauges;
    }

    private static void byState(Map<String, ToLongFunction<TierSnapshot>> gauges, SegmentState state, String name) {
        gauges.put("Segments" + name, snapshot -> snapshot.segments().getOrDefault(state, 0L));
        gauges.put("Bytes" + name, snapshot -> snapshot.bytes().getOrDefault(state, 0L));
    }
}
