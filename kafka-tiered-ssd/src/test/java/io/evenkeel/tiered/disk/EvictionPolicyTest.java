/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.disk.EvictionPolicy.Candidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionPolicyTest {
    private static final List<Candidate<String>> CANDIDATES = List.of(
            new Candidate<>("newest", 300, 10), new Candidate<>("oldest", 100, 10), new Candidate<>("middle", 200, 10));

    @Test
    void nothingAtTheHighWatermark() {
        assertThat(EvictionPolicy.victims(CANDIDATES, 90, 90, 50)).isEmpty();
    }

    @Test
    void oldestFirstDownToTheLowWatermark() {
        assertThat(EvictionPolicy.victims(CANDIDATES, 91, 90, 75)).containsExactly("oldest", "middle");
        assertThat(EvictionPolicy.victims(CANDIDATES, 91, 90, 81)).containsExactly("oldest");
    }

    @Test
    void allOfThemWhenThatIsNotEnough() {
        assertThat(EvictionPolicy.victims(CANDIDATES, 1000, 90, 50)).containsExactly("oldest", "middle", "newest");
    }
}
