/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StripeTurnsTest {
    private static final int MANY = 100_000;

    @Test
    void aThreadTakesItsStripesByTurns() throws Exception {
        Set<Integer> stripes = new HashSet<>();
        int changes = 0;
        int last = StripeTurns.stripe(StripeTurns.next());
        for (int i = 0; i < MANY; i++) {
            int stripe = StripeTurns.stripe(StripeTurns.next());
            stripes.add(stripe);
            changes += stripe == last ? 0 : 1;
            last = stripe;
        }
        assertThat(stripes).hasSize(StripeTurns.STRIPES);
        assertThat(changes).as("it stays for a while").isBetween(MANY / 100, MANY / 50);
    }

    @Test
    void threadsThatWereStartedOneAfterAnotherShareNone() throws Exception {
        int threads = 32;
        Set<Integer> stripes = new HashSet<>();
        for (int thread = 0; thread < threads; thread++) {
            stripes.addAll(inANewThread(StripeTurnsTest::stripesOfThisThread));
        }
        assertThat(stripes).hasSize(threads * StripeTurns.STRIPES);
    }

    @Test
    void aThreadGoesRoundSlotsOfItsOwnInASlotGroup() throws Exception {
        Set<Integer> all = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            List<Integer> slots = inANewThread(() -> Stream.generate(StripeTurns::next)
                    .limit(MANY)
                    .map(StripeTurns::firstSlot)
                    .toList());
            int begin = Collections.min(slots);
            assertThat(begin % 16).isZero();
            for (int i = 0; i < MANY; i++) {
                assertThat(slots.get(i)).isEqualTo(begin + (slots.get(0) + i) % 16);
            }
            all.addAll(slots);
        }
        assertThat(all).as("four threads, one after another").hasSize(1 << StripeTurns.SLOT_BITS);
    }

    private static <T> T inANewThread(Callable<T> task) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            return executor.submit(task).get();
        } finally {
            executor.shutdown();
        }
    }

    private static Set<Integer> stripesOfThisThread() {
        Set<Integer> stripes = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            stripes.add(StripeTurns.stripe(StripeTurns.next()));
        }
        return stripes;
    }
}
