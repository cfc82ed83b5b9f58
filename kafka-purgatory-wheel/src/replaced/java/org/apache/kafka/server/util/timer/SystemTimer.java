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
 * A timer on our timing wheel. Replaces Kafka's class of this name. Thread safe.
 *
 * <p>It runs tasks on the thread of its own executor. A thread of the caller must call {@link #advanceClock} all the
 * time.
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
     * @param wheelSize ticks per turn of the first wheel; rounded up to a power of two
     * @param startMs not used: the wheel gets the time with each call
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
        timer.add(timerTask, isBeyondTime(timerTask.delayMs) ? 0 : timerTask.delayMs);
        if (timerTask.isCancelled()) {
            timer.cancel(timerTask); // another thread has cancelled it meanwhile
        }
    }

    /** Stock adds a delay to its clock, and what exceeds a long is due at once. */
    private static boolean isBeyondTime(long delayMs) {
        return delayMs > Integer.MAX_VALUE && delayMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) < 0;
    }

    void remove(TimerTask timerTask) {
        timer.cancel(timerTask);
    }

    /**
     * Hands due tasks to the executor, or waits until a task is due.
     *
     * @param timeoutMs the longest wait
     * @return false if no task was due in that time
     */
    @Override
    public boolean advanceClock(long timeoutMs) throws InterruptedException {
        return timer.runDue(timeoutMs);
    }

    @Override
    public int size() {
        return timer.size();
    }

    /** Waits a while for due tasks to end. Tasks that are not due yet do not run any more. */
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
