/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class LaneTurnsTest {
    private static final int MANY = 100_000;

    @Test
    void aThreadTakesItsLanesByTurns() throws Exception {
        Set<Short> lanes = new HashSet<>();
        int changes = 0;
        short last = LaneTurns.next();
        for (int i = 0; i < MANY; i++) {
            short lane = LaneTurns.next();
            lanes.add(lane);
            changes += lane == last ? 0 : 1;
            last = lane;
        }
        assertThat(lanes).hasSize(LaneTurns.LANES);
        assertThat(changes).as("it stays for a while").isBetween(MANY / 100, MANY / 50);
    }

    @Test
    void threadsThatWereStartedOneAfterAnotherShareNone() throws Exception {
        int threads = 32;
        Set<Integer> lanes = new HashSet<>();
        for (int thread = 0; thread < threads; thread++) {
            ExecutorService executor = Executors.newSingleThreadExecutor();
            try {
                lanes.addAll(executor.submit(LaneTurnsTest::lanesOfThisThread).get());
            } finally {
                executor.shutdown();
            }
        }
        assertThat(lanes).hasSize(threads * LaneTurns.LANES);
    }

    private static Set<Integer> lanesOfThisThread() {
        Set<Integer> lanes = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            lanes.add(LaneTurns.next() & (WheelTimer.MAX_LANES - 1));
        }
        return lanes;
    }
}
