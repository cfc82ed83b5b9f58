/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class InflowRateTest {
    private static final long SECOND = 1_000_000_000L;

    private final InflowRate inflow = new InflowRate(10 * SECOND);
    private long now = Long.MAX_VALUE - SECOND; // wraps
    private long unflushed = 3_000_000;

    @Test
    void whatWasThereBeforeHasNotComeIn() {
        inflow.observe(unflushed, now);
        assertThat(inflow.bytesPerNano()).isZero();
    }

    @Test
    void isTheMeanInflowWhetherBytesWereFlushedMeanwhileOrNot() {
        come(5, 2_000_000, 0);
        come(5, 4_000_000, 4_500_000);
        assertThat(inflow.bytesPerNano() * SECOND).isCloseTo(3e6, within(0.05e6));
    }

    @Test
    void forgetsOldInflow() {
        come(10, 50_000_000, 0);
        come(10, 1_000_000, 0);
        assertThat(inflow.bytesPerNano() * SECOND).isCloseTo(1e6, within(0.02e6));
    }

    @Test
    void aLongPauseIsPartOfThePast() {
        come(10, 50_000_000, 0);
        come(1, 0, 0);
        now += 100 * SECOND;
        come(10, 1_000_000, 0);
        assertThat(inflow.bytesPerNano() * SECOND).isCloseTo(1e6, within(0.02e6));
        now += 5 * SECOND;
        inflow.observe(unflushed, now);
        assertThat(inflow.bytesPerNano() * SECOND).isCloseTo(0.5e6, within(0.05e6));
    }

    @Test
    void truncatedBytesDoNotComeInBackwards() {
        come(5, 1_000_000, 0);
        unflushed = 0;
        inflow.observe(unflushed, now += SECOND);
        assertThat(inflow.bytesPerNano()).isPositive();
    }

    private void come(int seconds, long bytesPerSecond, long flushedPerSecond) {
        for (int i = 0; i < seconds * 10; i++) {
            inflow.observe(unflushed, now);
            long leaving = Math.min(unflushed, flushedPerSecond / 10);
            inflow.leaves(leaving);
            now += SECOND / 10;
            unflushed += bytesPerSecond / 10 - leaving;
        }
        inflow.observe(unflushed, now);
    }
}
