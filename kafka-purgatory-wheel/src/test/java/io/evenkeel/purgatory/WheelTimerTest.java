/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WheelTimerTest {
    private static final long MS = 1_000_000;

    private int wakes;
    private int number;

    @Test
    void i1NothingIsHandedOutBeforeAllOfItsDelayHasPassed() {
        for (long added = 0; added < 2 * MS; added += MS / 4) {
            WheelTimer timer = timer(1, 0);
            Timeout timeout = timeout();
            timer.add(timeout, added, 3);
            assertThat(advance(timer, added + 3 * MS - 1)).isEmpty();
            assertThat(advance(timer, added + 4 * MS)).containsExactly(timeout);
        }
    }

    @Test
    void i2AnAddIsHandedOutOnceOrCancelledOnce() {
        WheelTimer timer = timer(1, 0);
        Timeout expired = timeout();
        Timeout cancelled = timeout();
        timer.add(expired, 0, 1);
        timer.add(cancelled, 0, 1);

        assertThat(timer.cancel(cancelled)).isTrue();
        assertThat(timer.cancel(cancelled)).isFalse();
        assertThat(advance(timer, MS)).containsExactly(expired);
        assertThat(timer.cancel(expired)).isFalse();
        assertThat(advance(timer, 10 * MS)).isEmpty();
    }

    @Test
    void i2AddedAgainItMoves() {
        WheelTimer timer = timer(1, 0);
        Timeout timeout = timeout();
        timer.add(timeout, 0, 1);
        timer.add(timeout, 0, 5);
        assertThat(timer.size()).isOne();
        assertThat(advance(timer, 4 * MS)).isEmpty();
        timer.add(timeout, 4 * MS, 2_000);
        timer.add(timeout, 4 * MS, 1);
        assertThat(advance(timer, 5 * MS)).containsExactly(timeout);
        assertThat(advance(timer, 5_000 * MS)).isEmpty();
    }

    @Test
    void i3WakesForAnEarlierOneOnly() {
        WheelTimer timer = timer(1, 0);
        timer.add(timeout(), 0, 50);
        assertThat(wakes).isEqualTo(1);
        timer.add(timeout(), 0, 50);
        timer.add(timeout(), 0, 60);
        assertThat(wakes).isEqualTo(1);
        timer.add(timeout(), 0, 49);
        assertThat(wakes).isEqualTo(2);
    }

    /** Requests that come and go through a timer that is empty but for them. */
    @Test
    void i3RepeatedAddAndCancelDoesNotWakeEachTime() {
        WheelTimer timer = timer(1, 0);
        Timeout timeout = timeout();
        for (int i = 0; i < 100; i++) {
            timer.add(timeout, i * MS / 10, 50);
            timer.cancel(timeout);
            assertThat(timer.advance(i * MS / 10, due -> {})).isLessThanOrEqualTo(50 * MS);
        }
        assertThat(wakes).isEqualTo(1);
        assertThat(timer.advance(60 * MS, due -> {})).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void i3WakesWhenAPendingTimeoutIsMovedToAnEarlierTime() {
        WheelTimer timer = timer(1, 0);
        Timeout timeout = timeout();
        timer.add(timeout, 0, 50);
        timer.add(timeout, 0, 20);
        assertThat(wakes).isEqualTo(2);
        assertThat(timer.advance(0, due -> {})).isEqualTo(20 * MS);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 5 * MS})
    void answersHowLongToWait(long start) {
        WheelTimer timer = timer(4, start);
        assertThat(timer.advance(start, due -> {})).isEqualTo(Long.MAX_VALUE);
        timer.add(timeout(), start, 10);
        assertThat(timer.advance(start + 1, due -> {})).isEqualTo(10 * MS - 1);
        assertThat(advance(timer, start + 10 * MS)).hasSize(1);
        assertThat(timer.advance(start + 10 * MS, due -> {})).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void i4TheSizeIsExactAcrossStripes() throws InterruptedException {
        WheelTimer timer = timer(8 * StripeTurns.STRIPES, 0);
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            inAnotherThread(() -> {
                Timeout timeout = timeout();
                timeouts.add(timeout);
                timer.add(timeout, 0, 10);
            });
        }
        assertThat(timeouts)
                .extracting(timeout -> (timeout.stripe() / StripeTurns.STRIPES) & 7)
                .as("stripes in use, each the first of a thread's")
                .containsOnly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(timer.size()).isEqualTo(20);
        timeouts.subList(0, 5).forEach(timer::cancel);
        assertThat(timer.size()).isEqualTo(15);
        timer.add(timeouts.get(7), 0, 5);
        assertThat(timer.size()).isEqualTo(15);
        assertThat(advance(timer, 5 * MS)).containsExactly(timeouts.get(7));
        assertThat(timer.size()).isEqualTo(14);
        assertThat(advance(timer, 10 * MS)).hasSize(14);
        assertThat(timer.size()).isZero();
    }

    /** The interleavings are Lincheck's; here, that no state makes cancel look away. */
    @Test
    void i5ATimeoutThatIsAddedAgainAfterAnyEndCanBeCancelled() {
        WheelTimer timer = timer(1, 0);
        Timeout timeout = timeout();
        assertThat(timer.cancel(timeout)).as("new").isFalse();
        for (int round = 0; round < 3; round++) {
            timer.add(timeout, round * MS, 1);
            assertThat(timer.cancel(timeout)).as("after a cancel or an expiry").isTrue();
            timer.add(timeout, round * MS, 1);
            assertThat(advance(timer, (round + 1) * MS)).containsExactly(timeout);
            assertThat(timer.cancel(timeout)).as("expired").isFalse();
        }
    }

    @Test
    void i6NoLockIsHeldWhileAnythingIsCalledBack() {
        List<Boolean> finished = new ArrayList<>();
        WheelTimer[] timer = new WheelTimer[1];
        Runnable useFromAnotherThread = () -> {
            CountDownLatch done = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                timer[0].size();
                done.countDown();
            });
            other.start();
            finished.add(awaits(done));
        };
        timer[0] = new WheelTimer(1, 1024, 1, 0, useFromAnotherThread);
        timer[0].add(timeout(), 0, 1);
        timer[0].advance(MS, due -> useFromAnotherThread.run());

        assertThat(finished).as("wake, then what is due").containsExactly(true, true);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void withoutDelayItIsDueAtOnceAndNotWaitingAnyMore(long delayMs) {
        WheelTimer timer = timer(1, 0);
        Timeout timeout = timeout();
        assertThat(timer.add(timeout, 0, delayMs)).isFalse();
        timer.add(timeout, 0, 10);
        assertThat(timer.add(timeout, 0, delayMs)).isFalse();
        assertThat(timer.size()).isZero();
        assertThat(timeout.isPending()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / MS, Long.MAX_VALUE / MS + 1})
    void hugeDelaysAreHarmless(long delayMs) {
        WheelTimer timer = timer(1, -7);
        Timeout huge = timeout();
        Timeout near = timeout();
        assertThat(timer.add(huge, 5, delayMs)).isTrue();
        assertThat(timer.add(near, 5, 1)).isTrue();
        assertThat(advance(timer, TimeUnit.DAYS.toNanos(10_000))).containsExactly(near);
        assertThat(timer.cancel(huge)).isTrue();
    }

    @Test
    void aClockThatRunsBackwardsIsHarmless() {
        WheelTimer timer = timer(1, 0);
        Timeout timeout = timeout();
        advance(timer, 100 * MS);
        assertThat(timer.add(timeout, 20 * MS, 90)).isTrue();
        assertThat(advance(timer, 50 * MS)).isEmpty();
        assertThat(advance(timer, -50 * MS)).isEmpty();
        assertThat(timer.add(timeout(), 20 * MS, 80))
                .as("its time has come already")
                .isFalse();
        assertThat(advance(timer, 110 * MS)).containsExactly(timeout);
    }

    @Test
    void whatIsDueMayUseTheTimer() {
        WheelTimer timer = timer(1, 0);
        List<Timeout> burst = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            burst.add(timeout());
            timer.add(burst.get(i), 0, 10);
        }
        Set<Timeout> cancelled = new HashSet<>();
        Set<Timeout> handedOut = new HashSet<>();
        timer.advance(10 * MS, due -> {
            assertThat(handedOut.add(due)).isTrue();
            int index = burst.indexOf(due);
            Timeout far = burst.get((index + 100) % 1_000);
            if (timer.cancel(far)) {
                cancelled.add(far);
            }
            timer.advance(10 * MS, inner -> assertThat(handedOut.add(inner)).isTrue());
            timer.add(due, 10 * MS, 1);
        });

        assertThat(handedOut).doesNotContainAnyElementsOf(cancelled);
        assertThat(handedOut.size() + cancelled.size()).isEqualTo(1_000);
        assertThat(cancelled).isNotEmpty();
        assertThat(timer.size()).isPositive();
    }

    @Test
    void whatThrowsDoesNotStrandTheOthers() {
        WheelTimer timer = timer(1, 0);
        for (int i = 0; i < 100; i++) {
            timer.add(timeout(), 0, 10);
        }
        List<Timeout> handedOut = new ArrayList<>();
        assertThatThrownBy(() -> timer.advance(10 * MS, due -> {
                    handedOut.add(due);
                    throw new IllegalStateException(due.toString());
                }))
                .hasMessage("timeout 0")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(99));

        assertThat(handedOut).hasSize(100).doesNotHaveDuplicates();
        assertThat(advance(timer, 20 * MS)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 512})
    void otherNumbersOfStripesAreRefused(int stripes) {
        assertThatThrownBy(() -> new WheelTimer(1, 1024, stripes, 0, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("power of two between 1 and 256, but not " + stripes);
    }

    private WheelTimer timer(int stripes, long nowNanos) {
        return new WheelTimer(1, 64, stripes, nowNanos, () -> wakes++);
    }

    private Timeout timeout() {
        return new NumberedTimeout(number++);
    }

    private static List<Timeout> advance(WheelTimer timer, long nowNanos) {
        List<Timeout> due = new ArrayList<>();
        timer.advance(nowNanos, due::add);
        return due;
    }

    private static void inAnotherThread(Runnable action) throws InterruptedException {
        Thread thread = new Thread(action);
        thread.start();
        thread.join();
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
