/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColdFetchesTest {
    private final List<String> enqueued = new ArrayList<>();
    private final ColdFetches fetches = new ColdFetches(4, Runnable::run);

    @Test
    void consumersThatNeedNoHddAreNeverHeld() {
        for (int i = 0; i < 10; i++) {
            assertThat(fetches.holds("hot", "hot" + i, () -> {})).isFalse();
        }
        fetches.served("hot", "hot0", false);
        assertThat(enqueued).isEmpty();
    }

    @Test
    void halfOfTheHandlersServeThoseThatDoInTheOrderOfTheirFetches() {
        for (String client : List.of("a", "b", "c", "d")) {
            fetches.served(client, client + "0", true);
        }
        assertThat(arrives("a", "a1")).isFalse();
        assertThat(arrives("b", "b1")).isFalse();
        assertThat(arrives("c", "c1")).isTrue();
        assertThat(arrives("d", "d1")).isTrue();
        assertThat(arrives("hot", "hot1")).isFalse();
        assertThat(fetches.heldNow()).isEqualTo(2);
        fetches.served("hot", "hot1", false);
        assertThat(enqueued).isEmpty();
        fetches.served("b", "b1", true);
        assertThat(enqueued).containsExactly("c1");
        assertThat(arrives("c", "c1")).as("as it is queued").isFalse();
        fetches.served("a", "a1", true);
        assertThat(enqueued).containsExactly("c1", "d1");
    }

    @Test
    void aConsumerThatHasCaughtUpIsNotHeldAnyMore() {
        fetches.served("a", "a0", true);
        assertThat(arrives("a", "a1")).isFalse();
        fetches.served("a", "a1", false);
        for (int i = 2; i < 10; i++) {
            assertThat(arrives("a", "a" + i)).isFalse();
        }
    }

    @Test
    void aSingleHandlerServesAll() {
        ColdFetches single = new ColdFetches(1, Runnable::run);
        single.served("a", "a0", true);
        assertThat(single.holds("a", "a1", () -> {})).isFalse();
        assertThat(single.holds("a", "a2", () -> {})).isFalse();
    }

    private boolean arrives(String client, String request) {
        return fetches.holds(client, request, () -> enqueued.add(request));
    }
}
