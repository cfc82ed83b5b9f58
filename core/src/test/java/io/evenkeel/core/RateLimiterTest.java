/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimiterTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void firstReservationIsFreeAndTheNextPaysForIt() {
        RateLimiter limiter = new RateLimiter(1000, 0);
        assertThat(limiter.reserve(500, 0)).isZero();
        assertThat(limiter.reserve(500, 0)).isEqualTo(SECOND / 2);
        assertThat(limiter.reserve(1, 0)).isEqualTo(SECOND);
        assertThat(limiter.reserve(1, SECOND)).isEqualTo(SECOND / 1000);
    }

    @Test
    void idleTimeIsSavedUpToTheBurstOnly() {
        RateLimiter limiter = new RateLimiter(1000, SECOND / 10);
        assertThat(limiter.reserve(100, 0)).isZero();
        long later = 3600 * SECOND;
        assertThat(limiter.reserve(100, later)).isZero();
        assertThat(limiter.reserve(100, later)).isZero();
        assertThat(limiter.reserve(100, later)).isEqualTo(SECOND / 10);
    }

    @Test
    void overAnyLongTimeTheRateIsKept() {
        RateLimiter limiter = new RateLimiter(1_000_000, SECOND / 10);
        long now = 0;
        long units = 0;
        while (now < 10 * SECOND) {
            now += limiter.reserve(4096, now);
            units += 4096;
        }
        assertThat(units).isBetween(10_000_000L, 10_200_000L);
    }

    @Test
    void waitingReservesNothing() {
        RateLimiter limiter = new RateLimiter(1000, 0);
        assertThat(limiter.waitNanos(0)).isZero();
        limiter.reserve(1000, 0);
        assertThat(limiter.waitNanos(0)).isEqualTo(SECOND);
        assertThat(limiter.waitNanos(SECOND / 4)).isEqualTo(SECOND / 4 * 3);
        assertThat(limiter.waitNanos(2 * SECOND)).isZero();
    }

    @Test
    void whatIsNotPaidYetIsPaidAtTheNewRate() {
        RateLimiter limiter = new RateLimiter(1000, 0);
        limiter.reserve(1000, 0);
        limiter.rate(2000, SECOND / 2);
        assertThat(limiter.waitNanos(SECOND / 2)).isEqualTo(SECOND / 4);
        limiter.rate(500, SECOND / 2);
        assertThat(limiter.waitNanos(SECOND / 2)).isEqualTo(SECOND);
    }

    @Test
    void rateThatWasFarTooLowIsForgotten() {
        RateLimiter limiter = new RateLimiter(1, SECOND / 10);
        limiter.reserve(4 << 20, 0);
        assertThat(limiter.waitNanos(0)).isGreaterThan(40 * 24 * 3600 * SECOND);
        limiter.rate(100 << 20, SECOND);
        assertThat(limiter.waitNanos(SECOND)).isLessThanOrEqualTo(SECOND / 25);
    }

    @Test
    void changedRateLeavesIdleTimeAlone() {
        RateLimiter limiter = new RateLimiter(1000, SECOND / 10);
        limiter.reserve(100, 0);
        limiter.rate(1, 10 * SECOND);
        limiter.rate(1000, 10 * SECOND);
        assertThat(limiter.reserve(100, 10 * SECOND)).isZero();
        assertThat(limiter.reserve(100, 10 * SECOND)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE - 10})
    void clockMayStartAnywhereAndWrap(long startNanos) {
        RateLimiter limiter = new RateLimiter(1000, 0);
        assertThat(limiter.reserve(1, startNanos)).isZero();
        assertThat(limiter.reserve(1, startNanos)).isEqualTo(SECOND / 1000);
        assertThat(limiter.reserve(1, startNanos + SECOND)).isZero();
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new RateLimiter(0, 0)).hasMessageContaining("0");
        assertThatThrownBy(() -> new RateLimiter(1, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> new RateLimiter(1, 0).reserve(-5, 0)).hasMessageContaining("-5");
        assertThatThrownBy(() -> new RateLimiter(1, 0).rate(-2, 0)).hasMessageContaining("-2");
    }
}
