/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AppendRateTest {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AppendRate rate = new AppendRate();
    private long bytes = 5_000_000;
    private long nowNanos = -1;

    private double append(long bytesPerSecond, int seconds) {
        double mean = 0;
        for (int i = 0; i < 10 * seconds; i++) {
            mean = rate.bytesPerSecond(bytes, nowNanos);
            bytes += bytesPerSecond / 10;
            nowNanos += STEP_NANOS;
        }
        return mean;
    }

    @Test
    void followsWithinMinutesAndOutlastsAWave() {
        assertThat(append(0, 1)).isZero();
        assertThat(append(200_000_000, 300)).isCloseTo(200e6, within(3e6));
        assertThat(append(0, 5)).isGreaterThan(180e6);
        assertThat(append(0, 300)).isLessThan(2e6);
    }
}
