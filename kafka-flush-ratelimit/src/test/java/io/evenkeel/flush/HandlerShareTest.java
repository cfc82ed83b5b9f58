/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerShareTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final long MS = 1_000_000;
    private static final long STUCK = 101 * MS;
    private static final long CALM = 10_000 * MS;

    private final HandlerShare share = new HandlerShare(8);

    /** Calm: all but a quarter. Stuck: the share of one of so many log directories. */
    @ParameterizedTest
    @CsvSource({"8,3,6,2", "8,2,6,4", "8,1,7,7", "2,2,1,1", "2,1,1,1", "1,1,1,1", "1,5,1,1", "16,4,12,4"})
    void leavesHandlersToOthers(int handlers, int logDirs, int calm, int stuck) {
        HandlerShare share = new HandlerShare(handlers);
        List<HandlerShare.Held> held = fill(share, logDirs, 0);
        assertThat(held).hasSize(calm);
        held.forEach(one -> one.leave(STUCK));
        assertThat(fill(share, logDirs, STUCK)).as("I6").hasSize(stuck);
    }

    /** It is not sent away for want of a place, but takes one from others. */
    @Test
    void whoWaitsForItsAnswerCounts() {
        List<HandlerShare.Held> held = fill(share, 2, 0);
        HandlerShare.Held one = held.remove(0);
        one.leave(0);
        HandlerShare.Held stays = share.stay(0);
        assertThat(share.enter(2, 0)).as("I6").isNull();
        HandlerShare.Held more = share.stay(0);
        stays.leave(1);
        assertThat(share.enter(2, 1)).as("I6").isNull();
        more.leave(2);
        assertThat(share.enter(2, 2)).isNotNull();
    }

    @Test
    void isPatientUntilOneHasBeenInForLong() {
        fill(share, 2, 0);
        assertThat(share.patienceNanos(0)).isEqualTo(100 * MS + 1);
        assertThat(share.patienceNanos(60 * MS)).isEqualTo(40 * MS + 1);
        assertThat(share.patienceNanos(STUCK)).isZero();
    }

    @Test
    void isPatientForAMomentAfterOneWasStuck() {
        HandlerShare.Held stuck = requireNonNull(share.enter(2, 0));
        stuck.leave(STUCK);
        HandlerShare.Held first = fill(share, 2, STUCK).get(0);
        assertThat(share.patienceNanos(STUCK)).isEqualTo(5 * MS);
        assertThat(share.patienceNanos(STUCK + 3 * MS)).isEqualTo(2 * MS);
        assertThat(share.patienceNanos(STUCK + 5 * MS)).isZero();
        first.leave(STUCK + 4 * MS);
        assertThat(share.enter(2, STUCK + 4 * MS)).isNotNull();
    }

    @Test
    void isCalmAgainSomeTimeAfterTheLastWasStuck() {
        HandlerShare.Held held = requireNonNull(share.enter(2, 0));
        held.leave(STUCK);
        List<HandlerShare.Held> few = fill(share, 2, STUCK + CALM);
        assertThat(few).hasSize(4);
        few.forEach(one -> one.leave(STUCK + CALM));
        assertThat(fill(share, 2, STUCK + CALM + 1)).hasSize(6);
    }

    @Test
    void oneThatLeavesMakesRoomForOne() {
        List<HandlerShare.Held> held = fill(share, 2, 0);
        held.get(3).leave(1);
        assertThat(share.enter(2, 1)).isNotNull();
        assertThat(share.enter(2, 1)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"8,3,2", "8,2,4", "8,1,7", "2,2,1", "1,1,1", "1,5,1"})
    void lessWaitForRoomThanAreLetIn(int handlers, int logDirs, int waiting) {
        List<HandlerShare.Held> held = fill(new HandlerShare(handlers), logDirs, 0);
        assertThat(held.stream().filter(one -> one.mayWait(logDirs)))
                .as("I6")
                .hasSize(waiting)
                .containsExactlyElementsOf(held.subList(0, waiting));
    }

    @Test
    void oneThatHasWaitedMakesRoomForOneThatWaits() {
        List<HandlerShare.Held> held = fill(share, 4, 0);
        assertThat(held.stream().limit(3).map(one -> one.mayWait(4))).containsExactly(true, true, false);
        held.get(2).leave(1);
        assertThat(held.get(3).mayWait(4)).isFalse();
        held.get(0).leave(1);
        assertThat(held.stream().skip(4).map(one -> one.mayWait(4))).containsExactly(true, false);
    }

    /** Against a list of who is in. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 20_000 * MS})
    void neverHoldsMoreThanItsShare(long start) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            int handlers = 1 + random.nextInt(20);
            int logDirs = 1 + random.nextInt(5);
            HandlerShare share = new HandlerShare(handlers);
            List<HandlerShare.Held> in = new ArrayList<>();
            long now = start;
            for (int step = 0; step < 500; step++) {
                now += random.nextLong(200 * MS);
                if (random.nextBoolean() && !in.isEmpty()) {
                    in.remove(random.nextInt(in.size())).leave(now);
                } else {
                    HandlerShare.Held held = share.enter(logDirs, now);
                    if (held != null) {
                        in.add(held);
                    } else {
                        assertThat(in).as("seed " + seed).isNotEmpty();
                    }
                }
                assertThat(in.size()).as("I6, seed " + seed).isLessThanOrEqualTo(Math.max(1, handlers - 1));
            }
        }
    }

    private static List<HandlerShare.Held> fill(HandlerShare share, int logDirs, long nowNanos) {
        List<HandlerShare.Held> held = new ArrayList<>();
        for (HandlerShare.Held one = share.enter(logDirs, nowNanos);
                one != null;
                one = share.enter(logDirs, nowNanos)) {
            held.add(one);
        }
        return held;
    }
}
