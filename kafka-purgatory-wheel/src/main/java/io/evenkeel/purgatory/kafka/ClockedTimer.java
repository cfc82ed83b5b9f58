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
 * A {@link WheelTimer} with the JVM's clock, whose callers wait in it, and an executor for what is due. Thread safe.
 *
 * @param <T> the tasks
 */
public final class ClockedTimer<T extends Timeout & Runnable> {
    /*
     * D1  Who waits is woken by whatever is due before the end of his wait: he takes back all permits before he asks the wheel
     *     how long to wait, and the wheel calls for each earlier deadline after that.
     * D2  A task that is due at once ends a wait, or the next one. So does whoever stops a thread that waits here.
     */
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.purgatory");

    /** What the executor gets at a time: it should begin before the last of very many is found. */
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
     * @param executor runs what is due
     */
    public ClockedTimer(String name, PurgatoryWheelConfig config, Executor executor) {
        this.name = name;
        this.executor = executor;
        this.wheel = new WheelTimer(config.tickMs(), config.size(), lanes(), System.nanoTime(), this::wake);
    }

    /** For several threads a processor: threads that share some by chance seldom run at the same time. */
    private static int lanes() {
        int wanted = 4 * WheelTimer.LANES_A_THREAD * Runtime.getRuntime().availableProcessors();
        return Math.min(WheelTimer.MAX_LANES, Integer.highestOneBit(2 * wanted - 1));
    }

    /** Runs the task when the delay is over; at once if there is none. If it is waiting already, it waits anew. */
    public void add(T task, long delayMs) {
        if (!wheel.add(task, System.nanoTime(), delayMs)) {
            executor.execute(() -> run(task));
            ranAtOnce.set(true);
            wake();
        }
    }

    /** The task does not run, unless it was due before. */
    public void cancel(T task) {
        wheel.cancel(task);
    }

    /** How many tasks wait. */
    public int size() {
        return wheel.size();
    }

    /**
     * Hands what is due to the executor, or waits for it.
     *
     * @return false if nothing was due in that time
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

    /** How many were added so far, once for each time. */
    long adds() {
        return wheel.adds();
    }

    /** How many were taken out before they were due. */
    long cancels() {
        return wheel.adds() - wheel.size() - expiries();
    }

    /** How many were handed to the executor when they were due. */
    long expiries() {
        return expiries.sum();
    }

    /** How many waits were cut short. */
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
            LOG.error("A task of the timer {} failed; others are not concerned.", name, e);
        }
    }

    /** Collects what is due. For one thread. */
    private final class Batches {
        private final long nowNanos;
        private List<T> batch = new ArrayList<>();
        int count;

        Batches(long nowNanos) {
            this.nowNanos = nowNanos;
        }

        @SuppressWarnings("unchecked") // nothing else was added
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
