/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final History<Long> history = new History<>(this::snapshot);

    private long snapshot() {
        taken.incrementAndGet();
        return written.get();
    }

    private double rateAt(long second) {
        return history.perSecond(TimeUnit.SECONDS.toNanos(second), Long::longValue);
    }

    @Test
    void atFirstThereIsNoRate() {
        assertThat(rateAt(5)).isZero();
    }

    @Test
    void rateIsOfTheLastMinuteAndEndsAtZero() {
        for (int second = 0; second <= 200; second++) {
            written.addAndGet(second < 100 ? 50 : 0);
            double rate = rateAt(second);
            if (second > 0 && second < 100) {
                assertThat(rate).isEqualTo(50);
            }
            if (second >= 161) {
                assertThat(rate).isZero();
            }
        }
    }

    @Test
    void whoAsksSeldomGetsTheRateSinceTheLastTime() {
        rateAt(0);
        written.addAndGet(1000);
        assertThat(rateAt(500)).isEqualTo(2);
        written.addAndGet(500);
        assertThat(rateAt(1000)).isEqualTo(1);
    }

    @Test
    void manyGaugesShareOneWalk() {
        for (int i = 0; i < 50; i++) {
            history.latest(1000 + i);
            rateAt(0);
        }
        assertThat(taken).hasValueLessThanOrEqualTo(1);
    }
}
