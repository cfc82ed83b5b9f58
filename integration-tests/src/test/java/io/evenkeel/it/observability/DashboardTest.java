/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code observability/grafana-dashboard.json}; {@code PrometheusIT} runs its queries. */
class DashboardTest {
    private static final int COLUMNS = 24;

    @Test
    void everyPanelExplainsItself() throws IOException {
        assertThat(Observability.panels()).isNotEmpty().allSatisfy(panel -> {
            assertThat(Observability.text(panel, "title")).isNotBlank();
            assertThat(Observability.text(panel, "description")).isNotBlank();
            assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
            assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
            assertThat(Observability.list(panel.get("targets"))).isNotEmpty();
        });
    }

    @Test
    void everyQueryAsksTheChosenBrokersForExportedMetrics() throws IOException {
        Set<String> exported = Observability.exported();
        for (JsonNode panel : Observability.panels()) {
            assertThat(Observability.list(panel.get("targets"))).allSatisfy(target -> {
                String expression = Observability.text(target, "expr");
                assertThat(exported).containsAll(Observability.metrics(expression));
                assertThat(expression.split("\\{", -1).length)
                        .as("selectors and those of the broker in " + expression)
                        .isEqualTo(expression.split("instance=~\"\\$instance\"}", -1).length);
            });
        }
    }

    @Test
    void noPanelHidesAnother() throws IOException {
        List<JsonNode> panels = Observability.list(Observability.dashboard().get("panels"));
        Set<Integer> cells = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : panels) {
            assertThat(ids.add(panel.get("id").asInt())).isTrue();
            JsonNode place = panel.get("gridPos");
            for (int y = 0; y < place.get("h").asInt(); y++) {
                for (int x = 0; x < place.get("w").asInt(); x++) {
                    int column = place.get("x").asInt() + x;
                    assertThat(column).isLessThan(COLUMNS);
                    assertThat(cells.add((place.get("y").asInt() + y) * COLUMNS + column))
                            .as(Observability.text(panel, "title"))
                            .isTrue();
                }
            }
        }
    }
}
