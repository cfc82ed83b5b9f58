/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void spreadsThatOverlapAgree() {
        assertThat(compared(new Spread(2, 1, 5, 2), new Spread(9, 4, 10, 2)).agrees())
                .isTrue();
        assertThat(compared(new Spread(9, 4, 10, 2), new Spread(2, 1, 5, 2)).agrees())
                .isTrue();
    }

    @Test
    void mediansThatDifferByAQuarterAgree() {
        assertThat(compared(Spread.of(100), Spread.of(125)).agrees()).isTrue();
        assertThat(compared(Spread.of(125), Spread.of(100)).agrees()).isTrue();
        assertThat(compared(Spread.of(100), Spread.of(126)).agrees()).isFalse();
        assertThat(compared(Spread.of(126), Spread.of(100)).agrees()).isFalse();
    }

    @Test
    void theTextCountsThoseThatAgree() {
        assertThat(Comparison.text(
                        List.of(compared(Spread.of(1), Spread.of(1.1)), compared(Spread.of(1), Spread.of(2)))))
                .contains("differs  case-1           ours / stock: 1.00, there 2.00")
                .contains("1 of 2 ratios agree");
    }

    private static Comparison compared(Spread here, Spread there) {
        return new Comparison("case-1", "ours / stock", here, there);
    }
}
