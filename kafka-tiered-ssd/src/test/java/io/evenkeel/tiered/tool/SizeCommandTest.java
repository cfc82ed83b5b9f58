/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeCommandTest {
    private static Said size(String... more) {
        String[] all = new String[more.length + 11];
        String[] broker = {
            "size", "--inflow", "1MiB", "--partitions", "4", "--ssds", "1", "--ssd-capacity", "20GiB", "--hdds", "2"
        };
        System.arraycopy(broker, 0, all, 0, broker.length);
        System.arraycopy(more, 0, all, broker.length, more.length);
        return Said.by(all);
    }

    @Test
    void showsEachPolicyAndWhereItBreaks() {
        Said said = size("--segment", "256MiB", "--lag", "20%:8-150");
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out())
                .contains("HOURS ON SSD", "ours", "LRU block cache", "LRU per segment", "threshold with promotion")
                .contains("The tier can take an inflow of ");
        Said json = size("--segment", "256MiB", "--json");
        assertThat(json.json().get("policies")).hasSize(4);
        assertThat(json.json().get("policies").get(0).get("hoursOnSsd").asDouble())
                .isBetween(4.0, 5.2);
    }

    @Test
    void mistakesAreOneLine() {
        assertThat(size("--lag", "20:8-150").err()).isEqualTo("--lag must be such as 20%:8-150, but is 20:8-150\n");
        assertThat(size("--lag", "20%:150-8").err()).startsWith("a lag's end must not be before its beginning");
        assertThat(Said.by("size", "--inflow", "1MiB").err()).contains("is required");
        assertThat(size("--hdd-speed", "fast").err()).contains("expected a number of bytes");
        assertThat(size("--ssds", "0").exitCode()).isEqualTo(CommandLine.CANNOT);
    }
}
