/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingWheelTest {
    private int number;

    @Test
    void handsOutInTheFirstTickInWhichItIsDue() {
        TimingWheel wheel = new TimingWheel(8);
        Timeout timeout = add(wheel, 5);

        assertThat(advance(wheel, 4)).isEmpty();
        assertThat(timeout.isPending()).isTrue();
        assertThat(advance(wheel, 5)).containsExactly(timeout);
        assertThat(timeout.isPending()).isFalse();
        assertThat(advance(wheel, 100)).isEmpty();
    }

    @Test
    void handsOutInTheOrderOfTimeAndThenOfInsertion() {
        TimingWheel wheel = new TimingWheel(4);
        Timeout third = add(wheel, 100);
        Timeout fourth = add(wheel, 100);
        Timeout second = add(wheel, 7);
        Timeout first = add(wheel, 2);

        assertThat(advance(wheel, 1_000)).containsExactly(first, second, third, fourth);
    }

    @Test
    void tellsTheNextTickAcrossLevels() {
        TimingWheel wheel = new TimingWheel(4);
        assertThat(wheel.nextTick()).isEqualTo(Long.MAX_VALUE);

        add(wheel, 27);
        assertThat(wheel.nextTick()).as("when it goes down to level 1").isEqualTo(16);
        advance(wheel, 16);
        assertThat(wheel.nextTick()).as("when it goes down to level 0").isEqualTo(24);
        advance(wheel, 24);
        assertThat(wheel.nextTick()).isEqualTo(27);
    }

    @Test
    void levelsAreMadeOnDemand() {
        TimingWheel wheel = new TimingWheel(16);
        assertThat(wheel.levels).isEmpty();
        add(wheel, 15);
        assertThat(wheel.levels).hasSize(1);
        add(wheel, 16);
        assertThat(wheel.levels).hasSize(2);
        add(wheel, 4_096);
        assertThat(wheel.levels).hasSize(4);
    }

    /** By distance of ticks it would be level 0, where the bucket a full turn ahead is the current one. */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64, 1024, 4096})
    void aFullTurnAheadIsNotTheCurrentBucket(int wheelSize) {
        for (long now : new long[] {1, wheelSize - 1, wheelSize, wheelSize + 1, (long) wheelSize * wheelSize - 1}) {
            for (long turn : new long[] {wheelSize, (long) wheelSize * wheelSize}) {
                for (int edge = -1; edge <= 1; edge++) {
                    TimingWheel wheel = new TimingWheel(wheelSize);
                    advance(wheel, now);
                    Timeout timeout = add(wheel, now + turn + edge);
                    WheelStructure.check(wheel);
                    assertThat(advance(wheel, now + turn + edge - 1)).isEmpty();
                    WheelStructure.check(wheel);
                    assertThat(advance(wheel, now + turn + edge)).containsExactly(timeout);
                }
            }
        }
    }

    @Test
    void whatCancelsItsNeighbourDoesNotStrandTheRestOfTheBucket() {
        TimingWheel wheel = new TimingWheel(8);
        List<Timeout> bucket = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            bucket.add(add(wheel, 3));
        }
        List<Timeout> handedOut = new ArrayList<>();
        advance(wheel, 3, 1, timeout -> {
            handedOut.add(timeout);
            int neighbour = bucket.indexOf(timeout) + 1;
            if (neighbour < bucket.size()) {
                wheel.remove(bucket.get(neighbour));
            }
            WheelStructure.check(wheel);
        });

        assertThat(handedOut)
                .containsExactly(bucket.get(0), bucket.get(2), bucket.get(4), bucket.get(6), bucket.get(8));
        assertThat(WheelStructure.check(wheel)).isEmpty();
    }

    @Test
    void whatIsAddedWhileItsBucketIsEmptiedWaitsForALaterTick() {
        TimingWheel wheel = new TimingWheel(4);
        add(wheel, 4);
        List<Long> ticks = new ArrayList<>();
        advance(wheel, 12, 1, timeout -> {
            ticks.add(wheel.now());
            if (ticks.size() < 3) {
                wheel.add(timeout, wheel.now() + 4);
            }
        });

        assertThat(ticks).containsExactly(4L, 8L, 12L);
    }

    @Test
    void aBurstIsHandedOutInPortionsAlsoAsItGoesDown() {
        TimingWheel wheel = new TimingWheel(4);
        for (int i = 0; i < 100; i++) {
            add(wheel, 5);
        }
        Timeout[] portion = new Timeout[10];

        int calls = 0;
        int handedOut = 0;
        while (wheel.nextTick() <= 5) {
            handedOut += wheel.advance(5, portion);
            calls++;
            WheelStructure.check(wheel);
        }
        assertThat(handedOut).isEqualTo(100);
        assertThat(calls).as("100 go down, 100 are handed out, 10 at a time").isBetween(20, 22);
    }

    @Test
    void aMovedOneIsDueAtItsNewTimeOnly() {
        TimingWheel wheel = new TimingWheel(8);
        Timeout later = add(wheel, 3);
        Timeout earlier = add(wheel, 500);
        wheel.move(later, 400);
        wheel.move(earlier, 2);

        assertThat(advance(wheel, 3)).containsExactly(earlier);
        assertThat(advance(wheel, 399)).isEmpty();
        assertThat(advance(wheel, 400)).containsExactly(later);
    }

    @Test
    void aTickThatHasPassedChangesNothing() {
        TimingWheel wheel = new TimingWheel(8);
        Timeout timeout = add(wheel, 20);
        advance(wheel, 10);

        for (long tick : new long[] {9, 0, -1, Long.MIN_VALUE}) {
            assertThat(advance(wheel, tick)).isEmpty();
            wheel.skipTo(tick);
            assertThat(wheel.now()).isEqualTo(10);
        }
        assertThat(advance(wheel, 20)).containsExactly(timeout);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096})
    void theFarthestTickIsReached(int wheelSize) {
        TimingWheel wheel = new TimingWheel(wheelSize);
        Timeout farthest = add(wheel, Long.MAX_VALUE - 1);
        Timeout near = add(wheel, 1);
        WheelStructure.check(wheel);

        assertThat(advance(wheel, Long.MAX_VALUE - 2)).containsExactly(near);
        WheelStructure.check(wheel);
        assertThat(advance(wheel, Long.MAX_VALUE - 1)).containsExactly(farthest);
    }

    @Test
    void skipsNothing() {
        TimingWheel wheel = new TimingWheel(8);
        add(wheel, 20);
        wheel.skipTo(15);
        assertThat(wheel.now()).isEqualTo(15);
        wheel.skipTo(30);
        assertThat(wheel.now()).as("before what is to be done at 16").isEqualTo(15);
    }

    @Test
    void aRemovedTimeoutKeepsNoOtherAlive() {
        TimingWheel wheel = new TimingWheel(8);
        add(wheel, 3);
        Timeout removed = add(wheel, 3);
        Timeout expired = add(wheel, 3);
        wheel.remove(removed);
        assertThat(removed).extracting(each -> each.prev, each -> each.next).containsExactly(removed, null);
        advance(wheel, 3);
        assertThat(expired).extracting(each -> each.prev, each -> each.next).containsExactly(expired, null);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -2, 0, 1, 3, 100, 4097, 8192})
    void otherSizesAreRefused(int wheelSize) {
        assertThatThrownBy(() -> new TimingWheel(wheelSize))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("power of two between 2 and 4096, but not " + wheelSize);
    }

    private Timeout add(TimingWheel wheel, long tick) {
        Timeout timeout = new NumberedTimeout(number++);
        wheel.add(timeout, tick);
        return timeout;
    }

    private static List<Timeout> advance(TimingWheel wheel, long tick) {
        List<Timeout> due = new ArrayList<>();
        advance(wheel, tick, 3, due::add);
        return due;
    }

    private static void advance(TimingWheel wheel, long tick, int portionSize, Consumer<Timeout> due) {
        Timeout[] portion = new Timeout[portionSize];
        do {
            int count = wheel.advance(tick, portion);
            for (int i = 0; i < count; i++) {
                due.accept(portion[i]);
            }
        } while (wheel.nextTick() <= tick);
    }
}
