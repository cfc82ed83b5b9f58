/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} is written from the definitions; {@code -Dupdate.docs} rewrites it. */
class MetricsDocsTest {
    private static final Path PAGE = Path.of("..", "docs", "metrics.md");

    @Test
    void pageIsWhatTheDefinitionsSay() throws IOException {
        String page = page();
        if (System.getProperty("update.docs") != null) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).as("run with -Dupdate.docs to rewrite it").hasContent(page);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Metrics

                Generated from the definitions in the code; do not edit. All are gauges in JMX, beside Kafka's own. What grows since the
                start never falls; the others are of now, at most a second old. Reading them walks the list of segments once a second at
                the most, and costs nothing when nobody reads.

                ## SSD tier

                `kafka.log:type=TieredSsd,name=…`

                | name | what it tells |
                | --- | --- |
                """);
        for (TierMetrics.Gauge gauge : TierMetrics.gauges()) {
            page.append("| `")
                    .append(gauge.name())
                    .append("` | ")
                    .append(gauge.doc())
                    .append(" |\n");
        }
        return page.toString();
    }
}
