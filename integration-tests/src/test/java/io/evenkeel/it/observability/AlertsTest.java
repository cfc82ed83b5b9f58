/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code observability/alerts.yaml}; {@code promtool}, which {@code ./verify} runs, checks what they compute. */
class AlertsTest {
    @Test
    void askForMetricsThatAreExported() throws IOException {
        Set<String> exported = Observability.exported();
        assertThat(Observability.alerts())
                .isNotEmpty()
                .allSatisfy(alert ->
                        assertThat(exported).containsAll(Observability.metrics(Observability.text(alert, "expr"))));
    }

    @Test
    void sayWhatHappensAndHowBadItIs() throws IOException {
        assertThat(Observability.alerts()).allSatisfy(alert -> {
            assertThat(Observability.text(alert, "alert")).startsWith("Evenkeel");
            assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning", "info");
            assertThat(alert.at("/annotations/summary").asText()).startsWith("{{ $labels.instance }}: ");
            assertThat(alert.at("/annotations/description").asText()).isNotBlank();
        });
    }

    @Test
    void areTestedFiringAndNotFiring() throws IOException {
        List<JsonNode> cases = Observability.list(
                        Observability.yaml("alerts-test.yaml").get("tests"))
                .stream()
                .flatMap(test -> Observability.list(test.get("alert_rule_test")).stream())
                .toList();
        assertThat(Observability.alerts())
                .allSatisfy(alert -> assertThat(cases)
                        .filteredOn(test ->
                                Observability.text(test, "alertname").equals(Observability.text(alert, "alert")))
                        .extracting(test -> test.get("exp_alerts").isEmpty())
                        .contains(true, false));
    }
}
