/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code observability/jmx-exporter.yaml} and the gauges in {@code docs/metrics.md}. */
class ExporterRulesTest {
    /** The rates of counters, and a sum. */
    private static final String COMPUTED_BY_PROMETHEUS = ".*, name=(Copy|Evict|ColdRead|Flushed)BytesPerSec>.*"
            + "|.*, name=(FlushesPerSec|ColdReadBusyPercent|ShadowHitPercent)>.*"
            + "|.*, name=PlacedOnHdd>.*";

    @Test
    void everyGaugeHasOneRule() throws IOException {
        List<ExporterRule> rules = Observability.rules();
        assertThat(Observability.gauges())
                .hasSizeGreaterThan(60)
                .allSatisfy(gauge -> assertThat(rules)
                        .filteredOn(rule -> rule.metric(gauge).isPresent())
                        .as("rules in observability/jmx-exporter.yaml for " + gauge)
                        .hasSize(gauge.matches(COMPUTED_BY_PROMETHEUS) ? 0 : 1));
    }

    @Test
    void everyRuleHasAGauge() throws IOException {
        List<String> gauges = new ArrayList<>(Observability.gauges());
        gauges.addAll(Observability.gaugesOfKafka());
        assertThat(Observability.rules())
                .allMatch(rule ->
                        gauges.stream().anyMatch(gauge -> rule.metric(gauge).isPresent()));
    }

    @Test
    void countersAreNamedSo() throws IOException {
        assertThat(Observability.list(Observability.yaml("jmx-exporter.yaml").get("rules")))
                .allSatisfy(rule -> assertThat(Observability.text(rule, "name").endsWith("_total"))
                        .as(rule.toString())
                        .isEqualTo(Observability.text(rule, "type").equals("COUNTER")));
    }
}
