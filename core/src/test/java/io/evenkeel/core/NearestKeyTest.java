/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestKeyTest {
    private static final List<String> KEYS = List.of("tiered.ssd.dirs", "tiered.ssd.capacity.bytes");

    @Test
    void findsWhatWasMeant() {
        assertThat(NearestKey.of("tiered.ssd.dir", KEYS)).isEqualTo("tiered.ssd.dirs");
        assertThat(NearestKey.of("tiered.ssd.capacity", KEYS)).isEqualTo("tiered.ssd.capacity.bytes");
        assertThat(NearestKey.of("TIERED.SSD.DIRS", KEYS)).isEqualTo("tiered.ssd.dirs");
    }

    @Test
    void ofSeveralItIsTheOneThatBeginsAlike() {
        assertThat(NearestKey.of("wheel.tick", List.of("wheel.size", "wheel.tick.ms")))
                .isEqualTo("wheel.tick.ms");
    }

    @Test
    void countsEdits() {
        assertThat(NearestKey.distance("", "abc")).isEqualTo(3);
        assertThat(NearestKey.distance("abc", "")).isEqualTo(3);
        assertThat(NearestKey.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestKey.distance("same", "same")).isZero();
    }

    @Test
    void needsSomethingToCompareWith() {
        assertThatThrownBy(() -> NearestKey.of("x", List.of())).hasMessageContaining("x");
    }
}
