/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatenessTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    @Test
    void nothingIsNotLate() {
        assertThat(new Lateness(0).nanos(1, 0)).isZero();
    }

    @Test
    void whatIsEarlyIsInTime() {
        Lateness lateness = new Lateness(0);
        lateness.record(-5, 0);
        assertThat(lateness.nanos(1, 0)).isZero();
    }

    @Test
    void isNeverTooLittleAndAtMostAnEighthTooMuch() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Lateness lateness = new Lateness(0);
            long[] late = new long[1 + random.nextInt(100)];
            Arrays.setAll(late, i -> random.nextLong() >>> (2 + random.nextInt(61)));
            for (long nanos : late) {
                lateness.record(nanos, 0);
            }
            Arrays.sort(late);
            double quantile = 1 - random.nextDouble();
            long exact = late[(int) Math.ceil(late.length * quantile) - 1];
            assertThat(lateness.nanos(quantile, 0)).as("seed %d", seed).isBetween(exact, exact + (exact >> 3));
        }
    }

    @Test
    void forgetsValuesThatAreTwoMinutesOld() {
        Lateness lateness = new Lateness(0);
        lateness.record(7, 0);
        assertThat(lateness.nanos(1, MINUTE)).isEqualTo(7);
        assertThat(lateness.nanos(1, 2 * MINUTE - 1)).isEqualTo(7);
        assertThat(lateness.nanos(1, 2 * MINUTE)).isZero();
    }

    @Test
    void forgetsAllAfterALongPause() {
        Lateness lateness = new Lateness(0);
        lateness.record(7, 0);
        assertThat(lateness.nanos(1, 3 * MINUTE)).isZero();
    }
}
