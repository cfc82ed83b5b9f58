/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(new Random(42));

    @Test
    void pauseDoublesUpToTheLongest() {
        long longestNanos = Backoff.FIRST_NANOS;
        for (int failure = 0; failure < 40; failure++) {
            assertThat(backoff.failed()).as("failure " + failure).isBetween(longestNanos / 2, longestNanos);
            longestNanos = Math.min(TimeUnit.SECONDS.toNanos(30), 2 * longestNanos);
        }
    }

    @Test
    void successBeginsAnew() {
        for (int failure = 0; failure < 10; failure++) {
            backoff.failed();
        }
        backoff.succeeded();
        assertThat(backoff.failed()).isBetween(Backoff.FIRST_NANOS / 2, Backoff.FIRST_NANOS);
    }

    @Test
    void pausesDiffer() {
        long[] pauses = LongStream.generate(() -> {
                    backoff.succeeded();
                    return backoff.failed();
                })
                .limit(1000)
                .toArray();
        assertThat(LongStream.of(pauses).distinct().count()).isGreaterThan(900);
        assertThat(LongStream.of(pauses).average())
                .hasValueCloseTo(0.75 * Backoff.FIRST_NANOS, within(0.05 * Backoff.FIRST_NANOS));
    }
}
