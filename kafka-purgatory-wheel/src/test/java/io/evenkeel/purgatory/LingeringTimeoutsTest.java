/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** I7: few cancelled timeouts linger in a {@link WheelTimer}, and not for long. */
class LingeringTimeoutsTest {
    private static final long MS = 1_000_000;

    private final WheelTimer timer = new WheelTimer(1, 64, WheelTimer.MAX_STRIPES, 0, () -> {});
    private int number;

    @Test
    void fewerThan64OfAThreadLingerAndTheSizeCountsNone() {
        List<Timeout> pending = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            pending.add(added(1 + i % 1_000));
        }
        Collections.shuffle(pending, new Random(1));
        int most = 0;
        for (int left = pending.size() - 1; left >= 0; left--) {
            assertThat(timer.cancel(pending.get(left))).isTrue();
            assertThat(timer.size()).as("I4").isEqualTo(left);
            most = Math.max(most, timer.lingering());
        }
        assertThat(most).isBetween(1, 63);
    }

    /** The timer's own count says nothing about a timeout that it keeps by mistake. */
    @Test
    void allOthersCanBeCollectedAndAfterAnAdvanceThese() {
        List<Timeout> pending = new ArrayList<>();
        List<WeakReference<Timeout>> cancelled = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            pending.add(added(10));
            cancelled.add(cancelled(10));
        }
        assertThat(reachable(cancelled)).isEqualTo(timer.lingering()).isBetween(1L, 63L);
        assertThat(advance(MS)).isEmpty();
        assertThat(reachable(cancelled)).isZero();
        assertThat(advance(10 * MS)).hasSameElementsAs(pending);
    }

    @Test
    void addedAgainItIsHandedOutOnce() {
        Timeout timeout = added(5);
        Timeout neighbour = added(5);
        timer.cancel(timeout);
        timer.cancel(neighbour);
        assertThat(timer.lingering()).isEqualTo(2);

        assertThat(timer.add(timeout, 0, 5)).isTrue();
        assertThat(timer.lingering()).isZero();
        assertThat(timer.size()).isOne();
        assertThat(advance(5 * MS)).containsExactly(timeout);
        assertThat(advance(100 * MS)).isEmpty();
    }

    @Test
    void addedAgainWithoutDelayItIsNotPending() {
        Timeout timeout = added(5);
        timer.cancel(timeout);
        assertThat(timer.add(timeout, 0, 0)).isFalse();
        assertThat(timer.size()).isZero();
        assertThat(advance(100 * MS)).isEmpty();
        assertThat(timer.lingering()).isZero();
    }

    /** Its time has come between the advance of the clock and the add. */
    @Test
    void addedAgainTooLateItIsNotPending() {
        Timeout timeout = added(5);
        advance(20 * MS);
        timer.add(timeout, 20 * MS, 5);
        timer.cancel(timeout);
        assertThat(timer.add(timeout, 0, 1)).isFalse();
        assertThat(timeout.isPending()).isFalse();
        assertThat(timer.lingering()).isZero();
        assertThat(timer.cancel(timeout)).isFalse();
    }

    private Timeout added(long delayMs) {
        Timeout timeout = new NumberedTimeout(number++);
        timer.add(timeout, 0, delayMs);
        return timeout;
    }

    private WeakReference<Timeout> cancelled(long delayMs) {
        Timeout timeout = added(delayMs);
        assertThat(timer.cancel(timeout)).isTrue();
        return new WeakReference<>(timeout);
    }

    private List<Timeout> advance(long nowNanos) {
        List<Timeout> due = new ArrayList<>();
        timer.advance(nowNanos, due::add);
        return due;
    }

    private static long reachable(List<WeakReference<Timeout>> references) {
        System.gc();
        return references.stream().filter(each -> each.get() != null).count();
    }
}
