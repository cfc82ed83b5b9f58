/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyncfsPlanTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TENTH = SECOND / 10;
    private static final int MB = 1_000_000;
    private static final int LOGS = 10;
    private static final double INFLOW = 20e6 / SECOND;
    private static final double STEADY = 15e6 / SECOND;

    private final SyncfsPlan plan = new SyncfsPlan();
    private final List<String> syncs = new ArrayList<>();

    private void look(long nowNanos, long backlogBytes, int logs, double inflow) {
        if (plan.shouldSync(backlogBytes, logs, inflow, nowNanos)) {
            syncs.add("after %.1f s".formatted(nowNanos / (double) SECOND));
        }
    }

    private void lookUntil(long fromNanos, long untilNanos, long backlogBytes) {
        for (long now = fromNanos; now < untilNanos; now += TENTH) {
            look(now, backlogBytes, LOGS, INFLOW);
        }
    }

    @Test
    void restsThenDrainsThenSyncsWhileTheFlushesStandStill() {
        lookUntil(0, 3 * SECOND, 60 * MB);
        assertThat(plan.pace(STEADY)).as("at rest").isEqualTo(STEADY);
        lookUntil(3 * SECOND, 20 * SECOND, 60 * MB);
        assertThat(plan.pace(STEADY)).as("a bit more than comes in").isEqualTo(1.12 * INFLOW);
        assertThat(plan.pace(2 * INFLOW)).as("nothing is slowed down").isEqualTo(2 * INFLOW);
        look(20 * SECOND, 6 * MB, LOGS, INFLOW);
        assertThat(plan.pace(STEADY)).as("before").isZero();
        lookUntil(20 * SECOND, 20 * SECOND + 5 * TENTH, 12 * MB);
        assertThat(syncs).isEmpty();
        lookUntil(20 * SECOND + 5 * TENTH, 20 * SECOND + 9 * TENTH, 20 * MB);
        assertThat(syncs).containsExactly("after 20.5 s");
        assertThat(plan.pace(STEADY)).as("after").isZero();
        look(20 * SECOND + 9 * TENTH, 20 * MB, LOGS, INFLOW);
        assertThat(plan.pace(STEADY)).as("at rest again").isEqualTo(STEADY);
    }

    @Test
    void aBacklogThatIsAlwaysLittleIsNotSyncedAllTheTime() {
        lookUntil(0, 3 * SECOND, 1);
        assertThat(plan.pace(STEADY)).as("at rest").isEqualTo(STEADY);
        lookUntil(3 * SECOND, 7 * SECOND, 1);
        assertThat(syncs).isEmpty();
        lookUntil(7 * SECOND, 60 * SECOND, 1);
        assertThat(syncs)
                .containsExactly("after 9.8 s", "after 20.0 s", "after 30.2 s", "after 40.4 s", "after 50.6 s");
    }

    @Test
    void aLargeBacklogIsDrainedInTheTimeThatIsLeft() {
        lookUntil(0, 19 * SECOND, 60 * MB);
        look(19 * SECOND, 400 * MB, LOGS, INFLOW);
        assertThat(plan.pace(STEADY) * SECOND).isCloseTo(400e6 / 10 + 10e6, withPercentage(0.1));
        look(29 * SECOND, 400 * MB, LOGS, INFLOW);
        assertThat(plan.pace(STEADY) * SECOND).as("all that it can").isCloseTo(400e6 / 0.6 + 10e6, withPercentage(0.1));
        look(32 * SECOND + 1, 400 * MB, LOGS, INFLOW);
        assertThat(plan.pace(STEADY)).as("the kernel has come").isEqualTo(STEADY);
        assertThat(syncs).isEmpty();
        lookUntil(33 * SECOND, 44 * SECOND, 1);
        assertThat(syncs).hasSize(1);
    }

    @Test
    void whenTheKernelIsAboutToComeMoreIsTakenForLittle() {
        lookUntil(0, 25 * SECOND, 18 * MB);
        assertThat(syncs).isEmpty();
        lookUntil(25 * SECOND, 26 * SECOND, 18 * MB);
        assertThat(syncs).containsExactly("after 25.5 s");
    }

    @Test
    void nothingIsDrainedForAKernelThatHasLittleToWrite() {
        for (long now = 0; now < 60 * SECOND; now += TENTH) {
            look(now, 1, 1, 0.9e6 / SECOND);
            assertThat(plan.pace(STEADY)).isEqualTo(STEADY);
        }
        assertThat(syncs).isEmpty();
    }

    @Test
    void whatIsNotWorthAFlushIsLittle() {
        for (long now = 0; now < 12 * SECOND; now += TENTH) {
            look(now, 12 * MB, 200, INFLOW);
        }
        assertThat(syncs).containsExactly("after 9.8 s");
    }

    @Test
    void manyLogsOfLittleAreNotDrained() {
        for (long now = 0; now < 60 * SECOND; now += TENTH) {
            look(now, 1, 321, INFLOW);
            assertThat(plan.pace(STEADY)).isEqualTo(STEADY);
        }
        assertThat(syncs).isEmpty();
    }

    @Test
    void theClockMayWrap() {
        long start = Long.MAX_VALUE - 2 * SECOND;
        for (long passed = 0; passed < 12 * SECOND; passed += TENTH) {
            look(start + passed, 1, LOGS, INFLOW);
        }
        assertThat(syncs).hasSize(1);
    }
}
