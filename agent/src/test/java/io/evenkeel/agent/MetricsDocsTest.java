/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.core.kafka.Gauge;
import io.evenkeel.flush.kafka.FlushMetrics;
import io.evenkeel.purgatory.kafka.WheelMetrics;
import io.evenkeel.tiered.kafka.ColdClientGauges;
import io.evenkeel.tiered.kafka.TierMetrics;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} is written from the definitions; {@code -Dupdate.docs} rewrites it. */
class MetricsDocsTest {
    @Test
    void pageIsWhatTheDefinitionsSay() throws IOException {
        GeneratedPage.check("metrics.md", page());
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Metrics

                Generated from the definitions in the code; do not edit. All are gauges in JMX, beside Kafka's own. A
                gauge that counts since the start never falls; the others show the present, at most a second old.
                Reading them walks the list of segments, at most once a second. They cost nothing when no client reads
                them. [monitoring.md](monitoring.md) brings them to Prometheus.
                """);
        section(page, "SSD tier", "TieredSsd", TierMetrics.gauges());
        page.append("""

                `kafka.log:type=TieredSsd,name=…,client-id=…,topic=…`

                | name | meaning |
                | --- | --- |
                """);
        row(page, ColdClientGauges.NAME, ColdClientGauges.DOC);
        section(page, "Flushing by rate", "FlushRatelimit", FlushMetrics.gauges());
        page.append("""

                ## Purgatory wheel

                Kafka's own gauges `PurgatorySize` and `NumDelayedOperations` of
                `kafka.server:type=DelayedOperationPurgatory,name=…,delayedOperation=…` stay, and are exact: a request
                counts from when it begins to wait until it is completed. Reading `PurgatorySize` walks the lists of
                watched keys. In addition, each timer has gauges of its own, named after its executor: `Fetch`,
                `Produce`, `raft-expiration-executor` and so on.

                `kafka.server:type=PurgatoryWheel,name=…,timer=…`

                | name | meaning |
                | --- | --- |
                """);
        WheelMetrics.gauges().forEach(gauge -> row(page, gauge.name(), gauge.doc()));
        page.append("""

                ## Flight recorder

                A recording of the JDK's flight recorder (`jcmd <pid> JFR.start`) has these events, in the category
                `Evenkeel`. They cost nothing while no recording is made.

                | event | when | fields |
                | --- | --- | --- |
                | `io.evenkeel.SegmentCopy` | a segment has been copied from an SSD to an HDD | `file`, `bytes` |
                | `io.evenkeel.SegmentEviction` | a segment has left its SSD | `file`, `bytes` |
                | `io.evenkeel.ColdReadWait` | a response has waited for a disk | `connection`, `partition`, `waited` |
                | `io.evenkeel.LogFlush` | a log has been flushed by rate | `log`, `bytes`, `took` |
                """);
        return page.toString();
    }

    private static <S> void section(StringBuilder page, String title, String type, List<Gauge<S>> gauges) {
        page.append("""

                ## %s

                `kafka.log:type=%s,name=…`

                | name | meaning |
                | --- | --- |
                """.formatted(title, type));
        gauges.forEach(gauge -> row(page, gauge.name(), gauge.doc()));
    }

    private static void row(StringBuilder page, String name, String doc) {
        page.append("| `").append(name).append("` | ").append(doc).append(" |\n");
    }
}
