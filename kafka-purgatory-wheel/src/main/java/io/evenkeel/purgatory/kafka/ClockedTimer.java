/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import io.evenkeel.purgatory.Lateness;
import io.evenkeel.purgatory.Timeout;
import io.evenkeel.purgatory.WheelTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link WheelTimer} with the JVM's clock, with an executor for due tasks, and with threads that wait in it. Thread
 * safe.
 *
 * @param <T> the tasks
 */
public final class ClockedTimer<T extends Timeout & Runnable> {
    /*
     * D1  A task that becomes due before the end of a wait wakes the waiting thread: the thread takes back all permits
     *     before it asks the wheel how long to wait, and the wheel calls wake for each earlier deadline after that.
     * D2  A task that is due at once ends a wait, or the next wait. That is how a waiting thread can be stopped.
     */
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.purgatory");

    /** Tasks per call of the executor: it should begin before the last of very many due tasks is found. */
    private static final int BATCH = 256;

    private final String name;
    private final WheelTimer wheel;
    private final Executor executor;
    private final Semaphore wakeUps = new Semaphore(0);
    private final AtomicBoolean ranAtOnce = new AtomicBoolean();
    private final Lateness lateness = new Lateness(System.nanoTime());
    private final LongAdder expiries = new LongAdder();
    private final LongAdder wakeUpCount = new LongAdder();

    /**
     * @param name for messages
     * @param executor runs due tasks
     */
    public ClockedTimer(String name, PurgatoryWheelConfig config, Executor executor) {
        this.name = name;
        this.executor = executor;
        this.wheel = new WheelTimer(config.tickMs(), config.size(), stripes(), System.nanoTime(), this::wake);
    }

    /** Enough for several threads per processor: threads that share a stripe by chance seldom run at the same time. */
    private static int stripes() {
        int wanted = 4 * WheelTimer.STRIPES_PER_THREAD * Runtime.getRuntime().availableProcessors();
        return Math.min(WheelTimer.MAX_STRIPES, Integer.highestOneBit(2 * wanted - 1));
    }

    /** Runs the task after the delay, at once if there is none. If the task waits already, its delay begins anew. */
    public void add(T task, long delayMs) {
        if (!wheel.add(task, System.nanoTime(), delayMs)) {
            executor.execute(() -> run(task));
            ranAtOnce.set(true);
            wake();
        }
    }

    /** Cancels the task: it does not run, unless it was due before. */
    public void cancel(T task) {
        wheel.cancel(task);
    }

    /** The number of waiting tasks. */
    public int size() {
        return wheel.size();
    }

    /**
     * Hands due tasks to the executor, or waits until a task is due.
     *
     * @return false if no task was due in that time
     */
    public boolean runDue(long timeoutMs) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        for (; ; ) {
            wakeUps.drainPermits();
            long now = System.nanoTime();
            Batches due = new Batches(now);
            long nextNanos = wheel.advance(now, due::add);
            due.execute();
            if (due.count > 0 || ranAtOnce.getAndSet(false)) {
                return true;
            }
            long waitNanos = Math.min(nextNanos, end - now);
            if (end - now <= 0) {
                return false;
            }
            if (wakeUps.tryAcquire(waitNanos, TimeUnit.NANOSECONDS)) {
                wakeUpCount.increment();
            }
        }
    }

    /** The number of adds so far. */
    long adds() {
        return wheel.adds();
    }

    /** The number of tasks that were removed before they were due. */
    long cancels() {
        return wheel.adds() - wheel.size() - expiries();
    }

    /** The number of cancelled tasks that are still linked, until the next {@link #runDue} at the latest. */
    int lingeringCancels() {
        return wheel.lingering();
    }

    /** The number of due tasks that were handed to the executor. */
    long expiries() {
        return expiries.sum();
    }

    /** The number of waits that were ended early. */
    long wakeUps() {
        return wakeUpCount.sum();
    }

    /** See {@link Lateness#nanos}. */
    long latenessNanos(double quantile) {
        return lateness.nanos(quantile, System.nanoTime());
    }

    private void wake() {
        if (wakeUps.availablePermits() == 0) {
            wakeUps.release();
        }
    }

    private void run(T task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("A task of the timer {} failed; other tasks are not affected.", name, e);
        }
    }

    /** Collects due tasks. For one thread. */
    private final class Batches {
        private final long nowNanos;
        private List<T> batch = new ArrayList<>();
        int count;

        Batches(long nowNanos) {
            this.nowNanos = nowNanos;
        }

        @SuppressWarnings("unchecked") // only such tasks were added
        void add(Timeout task) {
            count++;
            expiries.increment();
            lateness.record(wheel.lateNanos(task, nowNanos), nowNanos);
            batch.add((T) task);
            if (batch.size() == BATCH) {
                execute();
            }
        }

        void execute() {
            List<T> full = batch;
            if (!full.isEmpty()) {
                batch = new ArrayList<>();
                executor.execute(() -> full.forEach(ClockedTimer.this::run));
            }
        }
    }
}
