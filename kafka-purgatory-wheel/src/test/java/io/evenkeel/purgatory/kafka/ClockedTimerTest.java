/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.purgatory.Timeout;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;

@org.junit.jupiter.api.Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class ClockedTimerTest {
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final ClockedTimer<Task> timer =
            new ClockedTimer<>("test", PurgatoryWheelConfig.parse(Map.of()), Runnable::run);

    private static class Task extends Timeout implements Runnable {
        final AtomicInteger runs = new AtomicInteger();

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }

    @Test
    void runsDueTasksOnceAndNeverEarly() throws InterruptedException {
        Task task = new Task();
        long start = System.nanoTime();
        timer.add(task, 20);
        assertThat(timer.size()).isEqualTo(1);
        assertThat(timer.runDue(HOUR_MS)).isTrue();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(task.runs).hasValue(1);
        assertThat(timer.size()).isZero();
        assertThat(timer.runDue(0)).isFalse();
        assertThat(task.runs).hasValue(1);
        assertThat(timer.latenessNanos(1)).isPositive();
    }

    @Test
    void runsATaskWithoutDelayAtOnce() {
        Task task = new Task();
        timer.add(task, 0);
        assertThat(task.runs).hasValue(1);
        timer.add(task, -5);
        assertThat(task.runs).hasValue(2);
        assertThat(timer.size()).isZero();
    }

    /** D1. */
    @Test
    void aWaitEndsForATaskThatIsDueEarlier() throws Exception {
        timer.add(new Task(), HOUR_MS);
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
            waits.countDown();
            return runDue(HOUR_MS);
        });
        waits.await();
        Task earlier = new Task();
        timer.add(earlier, 5);
        assertThat(waiting.get()).isTrue();
        assertThat(earlier.runs).hasValue(1);
    }

    /** D2. */
    @Test
    void whatIsDueAtOnceEndsAWait() throws Exception {
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> runDue(HOUR_MS));
        timer.add(new Task(), 0);
        assertThat(waiting.get()).isTrue();
    }

    @Test
    void aBrokenTaskIsReportedAndTheOthersRun() throws InterruptedException {
        Task broken = new Task() {
            @Override
            public void run() {
                super.run();
                throw new AssertionError("broken");
            }
        };
        Task sound = new Task();
        timer.add(broken, 1);
        timer.add(sound, 1);
        while (timer.size() > 0) {
            timer.runDue(HOUR_MS);
        }
        assertThat(broken.runs).hasValue(1);
        assertThat(sound.runs).hasValue(1);
    }

    @Test
    void countsAddsCancelsAndExpiries() throws InterruptedException {
        Task cancelled = new Task();
        timer.add(cancelled, HOUR_MS);
        timer.add(cancelled, HOUR_MS); // moves
        timer.cancel(cancelled);
        assertThat(timer.lingeringCancels()).isOne();
        timer.add(new Task(), 1);
        assertThat(timer.runDue(HOUR_MS)).isTrue();
        assertThat(timer.lingeringCancels()).isZero();
        timer.add(new Task(), HOUR_MS);
        assertThat(timer.adds()).isEqualTo(4);
        assertThat(timer.cancels()).isEqualTo(2);
        assertThat(timer.expiries()).isEqualTo(1);
        assertThat(timer.size()).isEqualTo(1);
    }

    @Test
    void moreThanABatchIsRunWhole() throws InterruptedException {
        AtomicInteger all = new AtomicInteger();
        for (int i = 0; i < 1000; i++) {
            timer.add(
                    new Task() {
                        @Override
                        public void run() {
                            all.incrementAndGet();
                        }
                    },
                    1);
        }
        while (timer.size() > 0) {
            timer.runDue(HOUR_MS);
        }
        assertThat(all).hasValue(1000);
    }

    private boolean runDue(long timeoutMs) {
        try {
            return timer.runDue(timeoutMs);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
