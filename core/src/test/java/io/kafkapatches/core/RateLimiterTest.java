/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.core;

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
    void newRateAppliesToWhatIsReservedFromThenOn() {
        RateLimiter limiter = new RateLimiter(1000, 0);
        limiter.reserve(1000, 0);
        limiter.rate(2000);
        assertThat(limiter.reserve(1000, 0)).isEqualTo(SECOND);
        assertThat(limiter.reserve(1, 0)).isEqualTo(SECOND + SECOND / 2);
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
    }
}
