/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResidentPartsTest {
    private final ResidentParts parts = new ResidentParts();

    private static long ms(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** A clock may begin anywhere. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1L << 40, -5, -(1L << 40), -50})
    void aPartIsKnownForAWhile(long beginMs) {
        assertThat(parts.has(0, ms(beginMs))).isFalse();
        parts.add(0, ms(beginMs));
        assertThat(parts.has(0, ms(beginMs))).isTrue();
        assertThat(parts.has(0, ms(beginMs) + ms(98))).isTrue();
        assertThat(parts.has(0, ms(beginMs) + ms(101))).isFalse();
        assertThat(parts.has(1, ms(beginMs))).isFalse();
    }

    @Test
    void onePartTakesTheSlotOfAnother() {
        parts.add(3, 0);
        parts.add(2_043, 0);
        assertThat(parts.has(2_043, 0)).isTrue();
        assertThat(parts.has(3, 0)).isFalse();
    }

    @Test
    void positionsAreInParts() {
        assertThat(ResidentParts.part((1 << 20) - 1)).isZero();
        assertThat(ResidentParts.toEnd((1 << 20) - 1)).isOne();
        assertThat(ResidentParts.part(1 << 20)).isOne();
        assertThat(ResidentParts.toEnd(1 << 20)).isEqualTo(1 << 20);
        assertThat(ResidentParts.part(Integer.MAX_VALUE)).isEqualTo(2_047);
    }
}
