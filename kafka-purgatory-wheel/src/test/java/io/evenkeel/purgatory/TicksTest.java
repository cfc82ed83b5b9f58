/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TicksTest {
    private static final long MS = 1_000_000;
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    @Test
    void aTickComesWhenAllOfItHasPassed() {
        Ticks ticks = new Ticks(0, 1);
        assertThat(ticks.at(0)).isZero();
        assertThat(ticks.at(MS - 1)).isZero();
        assertThat(ticks.at(MS)).isEqualTo(1);
    }

    @Test
    void aDelayEndsInTheFirstTickAfterAllOfIt() {
        Ticks ticks = new Ticks(0, 2);
        assertThat(ticks.after(0, 1)).isEqualTo(1);
        assertThat(ticks.after(0, 2)).isEqualTo(1);
        assertThat(ticks.after(1, 2)).isEqualTo(2);
        assertThat(ticks.after(0, 3)).isEqualTo(2);
    }

    @Test
    void tellsHowLongItIsUntilATick() {
        Ticks ticks = new Ticks(5, 1);
        assertThat(ticks.nanosUntil(3, 5)).isEqualTo(3 * MS);
        assertThat(ticks.nanosUntil(3, 5 + 3 * MS - 1)).isEqualTo(1);
        assertThat(ticks.nanosUntil(3, 5 + 4 * MS)).isZero();
        assertThat(ticks.nanosUntil(Long.MAX_VALUE, 5)).isEqualTo(Long.MAX_VALUE);
    }

    /** Random and nasty values, against exact arithmetic. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 7, 20, 1_000, 86_400_000})
    void agreesWithExactArithmetic(long tickMs) {
        Random random = new Random(tickMs);
        BigInteger tick = BigInteger.valueOf(tickMs * MS);
        for (int i = 0; i < 5_000; i++) {
            long start = nasty(random);
            long now = nasty(random);
            long delayMs = Math.max(1, nasty(random) >>> (1 + random.nextInt(40)));
            Ticks ticks = new Ticks(start, tickMs);
            // What lies before the start, or more than half the range of nanoTime ahead, counts as the start.
            BigInteger elapsed = BigInteger.valueOf(Math.max(0, now - start));
            BigInteger deadline = elapsed.add(BigInteger.valueOf(delayMs).multiply(BigInteger.valueOf(MS)))
                    .min(LONGEST);
            BigInteger after = deadline.add(tick).subtract(BigInteger.ONE).divide(tick);
            BigInteger left = after.multiply(tick).subtract(elapsed);

            assertThat(ticks.at(now)).isEqualTo(elapsed.divide(tick).longValueExact());
            assertThat(ticks.after(now, delayMs)).isEqualTo(after.longValueExact());
            assertThat(ticks.nanosUntil(after.longValueExact(), now))
                    .as("start %d, now %d, delay %d ms", start, now, delayMs)
                    .isEqualTo(
                            after.multiply(tick).compareTo(LONGEST) > 0
                                    ? Long.MAX_VALUE
                                    : left.max(BigInteger.ZERO).longValueExact());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 86_400_001, Long.MAX_VALUE})
    void otherTicksAreRefused(long tickMs) {
        assertThatThrownBy(() -> new Ticks(0, tickMs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("but not " + tickMs + " ms");
    }

    private static long nasty(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Long.MAX_VALUE - random.nextInt(3);
            case 1 -> Long.MIN_VALUE + random.nextInt(3);
            case 2 -> random.nextInt(3) - 1;
            case 3 -> random.nextInt(1_000) * MS + random.nextInt(3) - 1;
            default -> random.nextLong() >> random.nextInt(64);
        };
    }
}
