/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    @Test
    void theFirstLineHasTheTimeOfAllProcessors() {
        ProcessorTime before = ProcessorTime.parse("cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
        ProcessorTime after = ProcessorTime.parse("cpu  130 0 110 840 10 0 0 10 0 0\n");
        assertThat(after.busySince(before)).isEqualTo(0.5, within(1e-9));
        assertThat(after.stolenSince(before)).isEqualTo(0.1, within(1e-9));
        assertThat(after.usedNanos() - before.usedNanos()).isEqualTo(400_000_000);
        assertThat(after.stolenNanos()).isEqualTo(100_000_000);
    }
}
