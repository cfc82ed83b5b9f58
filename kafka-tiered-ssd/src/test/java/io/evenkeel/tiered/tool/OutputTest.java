/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1.0 KiB",
        "1048576, 1.0 MiB",
        "107374182400, 100 GiB",
        "9223372036854775807, 8192 PiB"
    })
    void sizesHaveAUnit(long bytes, String size) {
        assertThat(Output.size(bytes)).isEqualTo(size);
    }

    @Test
    void timesAreInUtcToTheSecond() {
        assertThat(Output.time(1_700_000_000_999L)).isEqualTo("2023-11-14T22:13:20Z");
    }

    @Test
    void numbersAndSizesAreAlignedToTheRight() {
        Table table = new Table("NAME", "SEGMENTS", "SIZE");
        table.row("a", 7, "1000 B");
        table.row("longer", 12, "1.5 MiB");
        assertThat(table).hasToString("""
                NAME    SEGMENTS     SIZE
                a              7   1000 B
                longer        12  1.5 MiB
                """);
    }
}
