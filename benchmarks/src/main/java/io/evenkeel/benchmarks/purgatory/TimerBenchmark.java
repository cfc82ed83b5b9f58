/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.purgatory.design.TimerDesign;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What does a task cost that is added to a timer, and then cancelled or run?
 *
 * <p>Expected: with a wheel, the same time however many tasks are pending, except for cache misses; with several
 * threads, in addition the time that they wait for each other.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
public class TimerBenchmark {
    /** No such task is due before a fork is over; the timeout of most requests. */
    private static final int LONG_DELAY_MS = 30_000;

    private static final int SHORT_DELAYS_MS = 10;
    private static final int BATCH = 1000;
    /** The number of tasks, late ones included, that a thread may have waiting to be run. */
    private static final int WAITING = 100_000;

    private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** The timer that all threads share. */
    @State(Scope.Benchmark)
    public static class Shared {
        /** {@code kafka} is stock's or ours, by the class path; {@code agrona} is for one thread. */
        @Param({"kafka", "netty", "executor", "delayQueue", "agrona", "empty"})
        public String design = "kafka";

        private TimerDesign timer = TimerDesign.named("agrona");

        @Setup
        public void open() {
            timer = TimerDesign.named(design);
        }

        @TearDown
        public void close() {
            timer.close();
        }
    }

    /** A thread's tasks, all of them pending all the time. The next one to be cancelled is random, as with requests. */
    @State(Scope.Thread)
    public static class Pending {
        /** The tasks of all threads together. */
        @Param({"10000", "100000", "1000000"})
        public int pending = 10_000;

        private TimerDesign.Client client = TimerDesign.named("agrona").client(0, () -> {});
        private SplittableRandom random = new SplittableRandom();
        private int tasks;

        @Setup
        public void fill(Shared shared, ThreadParams threads) {
            random = new SplittableRandom(threads.getThreadIndex());
            tasks = pending / threads.getThreadCount();
            client = shared.timer.client(tasks, () -> {});
            for (int task = 0; task < tasks; task++) {
                client.add(task, LONG_DELAY_MS + random.nextInt(LONG_DELAY_MS));
            }
        }
    }

    /** How many tasks a thread has added, and how many of them were run. */
    @State(Scope.Thread)
    public static class Running {
        private final AtomicLong run = new AtomicLong();
        private TimerDesign.Client client = TimerDesign.named("agrona").client(0, () -> {});
        private long added;

        @Setup(Level.Trial)
        public void open(Shared shared) {
            client = shared.timer.client(BATCH, run::incrementAndGet);
        }

        private void awaitRoom() {
            client.poll();
            while (added - run.get() > WAITING) {
                LockSupport.parkNanos(WAIT_NANOS);
                client.poll();
            }
        }
    }

    /** The time of one cancellation and one addition; the number of pending tasks stays the same. */
    @Benchmark
    public void addCancel(Pending pending) {
        int task = pending.random.nextInt(pending.tasks);
        pending.client.cancel(task);
        pending.client.add(task, LONG_DELAY_MS + (task & 0x3fff));
    }

    /**
     * The time of one addition when the timer's own thread runs all tasks. A thread waits while more than
     * {@value #WAITING} of its tasks have not run.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void addExpire(Running running) {
        for (int task = 0; task < BATCH; task++) {
            running.client.add(task, 1 + task % SHORT_DELAYS_MS);
        }
        running.added += BATCH;
        running.awaitRoom();
    }
}
