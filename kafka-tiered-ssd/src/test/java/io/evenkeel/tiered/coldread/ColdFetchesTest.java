/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ColdFetchesTest {
    private final List<String> enqueued = new ArrayList<>();
    private final ColdFetches fetches = new ColdFetches(4, Runnable::run);
    private long nowNanos = 1;

    @Test
    void consumersThatNeedNoHddAreNeverHeld() {
        for (int i = 0; i < 10; i++) {
            assertThat(fetches.holds("hot", "hot" + i, false, () -> {})).isFalse();
        }
        fetches.served("hot", "hot0", false, nowNanos);
        assertThat(enqueued).isEmpty();
    }

    @Test
    void halfOfTheHandlersServeThoseThatDoInTheOrderOfTheirFetches() {
        for (String client : List.of("a", "b", "c", "d")) {
            fetches.served(client, client + "0", true, nowNanos);
        }
        assertThat(arrives("a", "a1")).isFalse();
        assertThat(arrives("b", "b1")).isFalse();
        assertThat(arrives("c", "c1")).isTrue();
        assertThat(arrives("d", "d1")).isTrue();
        assertThat(arrives("hot", "hot1")).isFalse();
        assertThat(fetches.heldNow()).isEqualTo(2);
        fetches.served("hot", "hot1", false, nowNanos);
        assertThat(enqueued).isEmpty();
        fetches.served("b", "b1", true, nowNanos);
        assertThat(enqueued).containsExactly("c1");
        assertThat(arrives("c", "c1")).as("as it is queued").isFalse();
        fetches.served("a", "a1", true, nowNanos);
        assertThat(enqueued).containsExactly("c1", "d1");
    }

    @Test
    void aConsumerThatHasCaughtUpIsHeldForAFewSecondsMore() {
        for (String client : List.of("a", "b", "c")) {
            fetches.served(client, client + "0", true, nowNanos);
        }
        fetches.served("c", "c1", false, nowNanos);
        assertThat(arrives("a", "a1")).isFalse();
        assertThat(arrives("b", "b1")).isFalse();
        assertThat(arrives("c", "c2")).as("it may be back on the HDD at once").isTrue();
        fetches.served("a", "a1", true, nowNanos);
        nowNanos += TimeUnit.SECONDS.toNanos(20);
        fetches.served("c", "c2", false, nowNanos);
        assertThat(arrives("a", "a2")).isFalse();
        assertThat(arrives("c", "c3")).isFalse();
    }

    /** Else they would take all handlers until each of them has made one wait. */
    @Test
    void consumersThatHaveJustConnectedTakeHalfOfTheHandlers() {
        for (String first : List.of("a0", "b0", "c0")) {
            boolean held = fetches.holds(first.substring(0, 1), first, true, () -> enqueued.add(first));
            assertThat(held).isEqualTo(first.equals("c0"));
        }
        assertThat(arrives("hot", "hot1")).as("not its first").isFalse();
        fetches.served("a", "a0", false, nowNanos);
        assertThat(enqueued).containsExactly("c0");
        fetches.served("b", "b0", true, nowNanos);
        fetches.served("c", "c0", false, nowNanos);
        assertThat(arrives("a", "a1")).as("it is not cold").isFalse();
        assertThat(fetches.isIdle()).as("b is cold").isFalse();
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        fetches.served("b", "b1", false, nowNanos);
        assertThat(fetches.isIdle()).isTrue();
    }

    @Test
    void aSingleHandlerServesAll() {
        ColdFetches single = new ColdFetches(1, Runnable::run);
        single.served("a", "a0", true, nowNanos);
        assertThat(single.holds("a", "a1", false, () -> {})).isFalse();
        assertThat(single.holds("a", "a2", true, () -> {})).isFalse();
    }

    @Test
    void aConnectionThatIsNotSeenAnyMoreIsForgotten() {
        fetches.served("gone", "gone0", true, nowNanos);
        assertThat(fetches.isIdle()).isFalse();
        nowNanos += TimeUnit.SECONDS.toNanos(20);
        fetches.served("hot", "hot0", false, nowNanos);
        assertThat(fetches.isIdle()).isTrue();
    }

    @Test
    void aFetchThatKafkaDoesNotTakeGivesItsPlaceToTheNext() {
        for (String client : List.of("a", "b", "c", "d")) {
            fetches.served(client, client + "0", true, nowNanos);
        }
        arrives("a", "a1");
        arrives("b", "b1");
        assertThat(fetches.holds("c", "c1", false, () -> {
                    throw new IllegalStateException("shut down");
                }))
                .isTrue();
        assertThat(arrives("d", "d1")).isTrue();
        assertThatThrownBy(() -> fetches.served("a", "a1", true, nowNanos)).hasMessage("shut down");
        assertThat(enqueued).containsExactly("d1");
    }

    private boolean arrives(String client, String request) {
        return fetches.holds(client, request, false, () -> enqueued.add(request));
    }
}
