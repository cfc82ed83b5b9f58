/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class ExpirationReaperTest {
    private static final long LONGEST_MS = 200;
    private static final long SLACK_MS = 50;
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final ClockedTimer<Task> timer =
            new ClockedTimer<>("test", PurgatoryWheelConfig.parse(Map.of()), Runnable::run);

    private static final class Task extends io.evenkeel.purgatory.Timeout implements Runnable {
        @Override
        public void run() {
            // only that of the shutdown is ever due
        }
    }

    /** I7, by the real clock. The median must keep to the bound: a busy processor may delay the thread now and then. */
    @Test
    void noCancelledTaskLingersForLongerThan200Ms() throws InterruptedException {
        ExpirationReaper reaper = new ExpirationReaper("reaper", timer::runDue);
        reaper.start();
        long[] millis = new long[7];
        try {
            timer.add(new Task(), HOUR_MS);
            for (int i = 0; i < millis.length; i++) {
                millis[i] = lingeringMs();
            }
        } finally {
            reaper.initiateShutdown();
            timer.add(new Task(), 0);
            reaper.awaitShutdown();
        }
        Arrays.sort(millis);
        assertThat(millis[millis.length / 2]).isLessThanOrEqualTo(LONGEST_MS + SLACK_MS);
    }

    private long lingeringMs() {
        Task task = new Task();
        timer.add(task, HOUR_MS);
        timer.cancel(task);
        long start = System.nanoTime();
        assertThat(timer.size()).isOne();
        while (timer.lingeringCancels() > 0) {
            Thread.onSpinWait();
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }
}
