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
    void aThreadTakesItsLanesByTurns() throws Exception {
        Set<Integer> lanes = new HashSet<>();
        int changes = 0;
        int last = StripeTurns.lane(StripeTurns.next());
        for (int i = 0; i < MANY; i++) {
            int lane = StripeTurns.lane(StripeTurns.next());
            lanes.add(lane);
            changes += lane == last ? 0 : 1;
            last = lane;
        }
        assertThat(lanes).hasSize(StripeTurns.LANES);
        assertThat(changes).as("it stays for a while").isBetween(MANY / 100, MANY / 50);
    }

    @Test
    void threadsThatWereStartedOneAfterAnotherShareNone() throws Exception {
        int threads = 32;
        Set<Integer> lanes = new HashSet<>();
        for (int thread = 0; thread < threads; thread++) {
            lanes.addAll(inANewThread(StripeTurnsTest::lanesOfThisThread));
        }
        assertThat(lanes).hasSize(threads * StripeTurns.LANES);
    }

    @Test
    void aThreadGoesRoundPlacesOfItsOwnInARow() throws Exception {
        Set<Integer> all = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            List<Integer> places = inANewThread(() -> Stream.generate(StripeTurns::next)
                    .limit(MANY)
                    .map(StripeTurns::firstPlace)
                    .toList());
            int begin = Collections.min(places);
            assertThat(begin % 16).isZero();
            for (int i = 0; i < MANY; i++) {
                assertThat(places.get(i)).isEqualTo(begin + (places.get(0) + i) % 16);
            }
            all.addAll(places);
        }
        assertThat(all).as("four threads, one after another").hasSize(1 << Slots.PLACE_BITS);
    }

    private static <T> T inANewThread(Callable<T> task) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            return executor.submit(task).get();
        } finally {
            executor.shutdown();
        }
    }

    private static Set<Integer> lanesOfThisThread() {
        Set<Integer> lanes = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            lanes.add(StripeTurns.lane(StripeTurns.next()));
        }
        return lanes;
    }
}
