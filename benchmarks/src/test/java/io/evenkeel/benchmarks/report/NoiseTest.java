/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.benchmarks.report.Result.MeasuredRatio;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a run says that it is noisy. */
class NoiseTest {
    @Test
    void aQuietRunIsNotNoisy() {
        assertThat(Noise.of(0.05, 0.01, List.of(ratio(1.0, 0.9, 1.1)))).isEmpty();
    }

    @Test
    void otherProgramsTheHostAndRoundsThatDisagreeAreNoise() {
        assertThat(Noise.of(0.4, 0.1, List.of(ratio(2.0, 1.5, 2.5), ratio(1.0, 1.0, 1.0))))
                .containsExactly(
                        "Before the run, other programs used 40 % of the processors.",
                        "During the run, the host took away 10 % of the processors' time.",
                        "The rounds disagree by 50 % of the median: ratio.");
    }

    @Test
    void aSpreadIsTheMedianOfMediansAndTheExtremesOfAll() {
        Spread spread = Spread.of(List.of(new Spread(2, 1, 3, 2), Spread.of(4), new Spread(9, 8, 12, 3)));
        assertThat(spread).isEqualTo(new Spread(4, 1, 12, 6));
        assertThat(spread.relative()).isEqualTo(11.0 / 4, within(1e-9));
        assertThat(Spread.of(0).relative()).isZero();
    }

    private static MeasuredRatio ratio(double median, double least, double most) {
        return new MeasuredRatio("ratio", new Spread(median, least, most, 3));
    }
}
