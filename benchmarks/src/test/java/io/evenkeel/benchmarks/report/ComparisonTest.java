/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.benchmarks.report.Comparison.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void spreadsThatOverlapAgree() {
        assertThat(verdict(new Spread(2, 1, 5, 2), new Spread(9, 4, 10, 2))).isEqualTo(Verdict.AGREES);
        assertThat(verdict(new Spread(9, 4, 10, 2), new Spread(2, 1, 5, 2))).isEqualTo(Verdict.AGREES);
        assertThat(verdict(new Spread(2, 1, 3, 2), new Spread(9, 4, 10, 2))).isEqualTo(Verdict.DIFFERS);
    }

    @Test
    void mediansThatDifferByAQuarterAgree() {
        Spread hundred = new Spread(100, 99, 101, 2);
        assertThat(verdict(hundred, new Spread(125, 124, 126, 2))).isEqualTo(Verdict.AGREES);
        assertThat(verdict(new Spread(125, 124, 126, 2), hundred)).isEqualTo(Verdict.AGREES);
        assertThat(verdict(hundred, new Spread(126, 125, 127, 2))).isEqualTo(Verdict.DIFFERS);
        assertThat(verdict(new Spread(126, 125, 127, 2), hundred)).isEqualTo(Verdict.DIFFERS);
    }

    @Test
    void oneRoundMayAgreeButDoesNotTellThatItDiffers() {
        assertThat(verdict(Spread.of(100), Spread.of(125))).isEqualTo(Verdict.AGREES);
        assertThat(verdict(Spread.of(100), Spread.of(126))).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(new Spread(100, 99, 101, 2), Spread.of(126))).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void theTextCountsThoseThatAgree() {
        assertThat(Comparison.text(
                        List.of(compared(Spread.of(1), Spread.of(1.1)), compared(Spread.of(1), Spread.of(2)))))
                .contains("unknown  case-1           ours / stock: 1.00, there 2.00")
                .contains("1 of 2 ratios agree, 0 differ");
    }

    private static Verdict verdict(Spread here, Spread there) {
        return compared(here, there).verdict();
    }

    private static Comparison compared(Spread here, Spread there) {
        return new Comparison("case-1", "ours / stock", here, there);
    }
}
