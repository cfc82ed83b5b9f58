/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.util.timer;

import io.evenkeel.purgatory.kafka.ClockedTimer;
import io.evenkeel.purgatory.kafka.PurgatoryWheelConfig;
import io.evenkeel.purgatory.kafka.PurgatoryWheelHooks;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;

/**
 * A timer on a wheel of ours. In the place of Kafka's class of this name. Thread safe.
 *
 * <p>It runs tasks on an executor's thread of its own. Somebody has to call {@link #advanceClock} all the time.
 */
@NullMarked
public class SystemTimer implements Timer {
    public static final String SYSTEM_TIMER_THREAD_PREFIX = "executor-";

    private static final long CLOSE_SECONDS = 5;

    private final ExecutorService taskExecutor;
    private final ClockedTimer<TimerTask> timer;
    private final Runnable hide;

    public SystemTimer(String executorName) {
        this(executorName, PurgatoryWheelHooks.config());
    }

    /**
     * @param wheelSize ticks a turn of the first wheel; the next power of two is taken
     * @param startMs not needed here: what is told the time is not this class
     */
    public SystemTimer(String executorName, long tickMs, int wheelSize, long startMs) {
        this(executorName, PurgatoryWheelConfig.near(tickMs, wheelSize));
    }

    private SystemTimer(String executorName, PurgatoryWheelConfig config) {
        taskExecutor = Executors.newFixedThreadPool(1, task -> thread(task, executorName));
        timer = new ClockedTimer<>(executorName, config, taskExecutor);
        hide = PurgatoryWheelHooks.show(executorName, timer);
    }

    private static Thread thread(Runnable task, String executorName) {
        Thread thread = new Thread(task, SYSTEM_TIMER_THREAD_PREFIX + executorName);
        thread.setDaemon(false);
        return thread;
    }

    @Override
    public void add(TimerTask timerTask) {
        timerTask.heldBy(this);
        timer.add(timerTask, timerTask.delayMs);
        if (timerTask.isCancelled()) {
            timer.cancel(timerTask); // meanwhile
        }
    }

    void remove(TimerTask timerTask) {
        timer.cancel(timerTask);
    }

    /**
     * Hands what is due to the executor, or waits for it.
     *
     * @param timeoutMs how long to wait at the most
     * @return false if nothing was due in that time
     */
    @Override
    public boolean advanceClock(long timeoutMs) throws InterruptedException {
        return timer.runDue(timeoutMs);
    }

    @Override
    public int size() {
        return timer.size();
    }

    /** Lets what has been due end, for a while. What waits does not run any more. */
    @Override
    public void close() {
        hide.run();
        taskExecutor.shutdown();
        try {
            if (!taskExecutor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                taskExecutor.shutdownNow();
            }
        } catch (InterruptedException e) {
            taskExecutor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    boolean isTerminated() {
        return taskExecutor.isTerminated();
    }
}
