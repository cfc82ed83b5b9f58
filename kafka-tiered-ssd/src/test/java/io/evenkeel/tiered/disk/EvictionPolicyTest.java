/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.disk.EvictionPolicy.Candidate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EvictionPolicyTest {
    private static final List<Candidate<String>> CANDIDATES = List.of(
            new Candidate<>("newest", 300, 10), new Candidate<>("oldest", 100, 10), new Candidate<>("middle", 200, 10));

    @Test
    void oldestFirstUntilTheyHoldEnough() {
        assertThat(EvictionPolicy.victims(CANDIDATES, 0, 400)).isEmpty();
        assertThat(EvictionPolicy.victims(CANDIDATES, 10, 400)).containsExactly("oldest");
        assertThat(EvictionPolicy.victims(CANDIDATES, 11, 400)).containsExactly("oldest", "middle");
    }

    @Test
    void allOfThemWhenThatIsNotEnough() {
        assertThat(EvictionPolicy.victims(CANDIDATES, 1000, 400)).containsExactly("oldest", "middle", "newest");
    }

    /** It would never leave, and all others would leave before it. */
    @Test
    void aTimeInTheFutureCountsAsTheOldest() {
        long hourMs = TimeUnit.HOURS.toMillis(1);
        List<Candidate<String>> candidates =
                List.of(new Candidate<>("old", 100, 10), new Candidate<>("of 2036", 300 + hourMs, 10));
        assertThat(EvictionPolicy.victims(candidates, 5, 299)).containsExactly("of 2036");
        assertThat(EvictionPolicy.victims(candidates, 5, 300)).containsExactly("old");
    }
}
