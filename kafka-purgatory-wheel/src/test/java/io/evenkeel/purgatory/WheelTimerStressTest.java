/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that add, cancel each other's timeouts and add again, and a reaper that sleeps as long as the timer says, by
 * the real clock: I1, I2 and I3.
 *
 * <p>{@code -Dstress.seconds} says for how long in all.
 */
@Tag("slow")
class WheelTimerStressTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("stress.seconds", 4));
    private static final int THREADS = 4;
    private static final int PENDING = 5_000;

    /** How long a reaper that has overslept is waited for. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Semaphore wakes = new Semaphore(0);
    private final AtomicLong expired = new AtomicLong();
    private volatile boolean done;

    private final class Request extends Timeout {
        final AtomicInteger ends = new AtomicInteger();
        final long notBeforeNanos;

        Request(long notBeforeNanos) {
            this.notBeforeNanos = notBeforeNanos;
        }

        void expire() {
            if (System.nanoTime() - notBeforeNanos < 0) {
                complaints.add("I1: expired early");
            }
            expired.incrementAndGet();
            end();
        }

        void end() {
            if (ends.incrementAndGet() != 1) {
                complaints.add("I2: ended twice");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void eachRequestEndsOnceAndNotEarly(int stripes) throws Exception {
        WheelTimer timer = new WheelTimer(1, 8, stripes, System.nanoTime(), wakes::release);
        AtomicReferenceArray<@Nullable Request> shared = new AtomicReferenceArray<>(64);
        List<Callable<Long>> users = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(i);
            users.add(() -> addAndCancel(timer, shared, random, STRESS_NANOS / 4));
        }
        long cancelled = run(timer, users);

        assertThat(complaints).isEmpty();
        assertThat(timer.size()).isZero();
        assertThat(expired.get()).as("expired").isPositive();
        assertThat(cancelled).as("cancelled").isPositive();
    }

    /** Answers how many it has cancelled. Each request it adds has ended when it returns. */
    private long addAndCancel(
            WheelTimer timer, AtomicReferenceArray<@Nullable Request> shared, SplittableRandom random, long nanos) {
        Deque<Request> mine = new ArrayDeque<>();
        long cancelled = 0;
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            long delayMs = 1L + random.nextInt(random.nextInt(10) == 0 ? 1_000 : 20);
            long now = System.nanoTime();
            Request request = new Request(now + TimeUnit.MILLISECONDS.toNanos(delayMs));
            if (!timer.add(request, now, delayMs)) {
                // The reaper has seen a later time than this thread.
                request.expire();
            }
            mine.add(request);
            Request other = shared.getAndSet(random.nextInt(shared.length()), request);
            if (other != null && random.nextBoolean() && timer.cancel(other)) {
                other.end();
                cancelled++;
            }
            if (mine.size() > PENDING) {
                awaitEnd(timer, mine.remove());
            }
        }
        mine.forEach(request -> awaitEnd(timer, request));
        return cancelled;
    }

    private void awaitEnd(WheelTimer timer, Request request) {
        long deadline = request.notBeforeNanos + PATIENCE_NANOS;
        while (request.ends.get() == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("I2, I3: lost, or the reaper overslept; waiting: " + request.isPending()
                        + ", size " + timer.size());
            }
            Thread.onSpinWait();
        }
    }

    /**
     * Any number of threads add the same few again and again: what is due may be due once an add, but not more often.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void whatManyAddAgainEndsAtMostOnceAnAdd(int stripes) throws Exception {
        WheelTimer timer = new WheelTimer(1, 8, stripes, System.nanoTime(), wakes::release);
        List<Repeated> repeated = List.of(new Repeated(), new Repeated(), new Repeated());
        List<Callable<Long>> users = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(i);
            users.add(() -> addAgain(timer, repeated, random, STRESS_NANOS / 4));
        }
        run(timer, users);

        assertThat(complaints).isEmpty();
        for (Repeated each : repeated) {
            assertThat(each.isPending()).isFalse();
            assertThat(each.ends.get()).isPositive().isLessThanOrEqualTo(each.adds.get());
        }
        assertThat(timer.size()).isZero();
    }

    private static final class Repeated extends Timeout {
        final AtomicInteger adds = new AtomicInteger();
        final AtomicInteger ends = new AtomicInteger();
    }

    private long addAgain(WheelTimer timer, List<Repeated> repeated, SplittableRandom random, long nanos) {
        long end = System.nanoTime() + nanos;
        long adds = 0;
        while (System.nanoTime() - end < 0) {
            Repeated each = repeated.get(random.nextInt(repeated.size()));
            if (random.nextInt(3) == 0) {
                each.ends.addAndGet(timer.cancel(each) ? 1 : 0);
            } else {
                each.adds.incrementAndGet();
                if (!timer.add(each, System.nanoTime(), 1 + random.nextInt(3))) {
                    each.ends.incrementAndGet();
                }
                adds++;
            }
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (timer.size() > 0 && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        return adds;
    }

    /** Runs these beside a reaper; answers the sum of what they answer. */
    private long run(WheelTimer timer, List<Callable<Long>> users) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(users.size() + 1);
        try {
            Future<?> reaper = pool.submit(() -> reap(timer));
            long sum = 0;
            for (Future<Long> each : pool.invokeAll(users)) {
                sum += each.get();
            }
            done = true;
            wakes.release();
            reaper.get();
            return sum;
        } finally {
            done = true;
            pool.shutdownNow();
        }
    }

    private void reap(WheelTimer timer) {
        while (!done) {
            long leftNanos = timer.advance(System.nanoTime(), timeout -> {
                if (timeout instanceof Request request) {
                    request.expire();
                } else if (timeout instanceof Repeated each) {
                    each.ends.incrementAndGet();
                }
            });
            try {
                if (wakes.tryAcquire(leftNanos, TimeUnit.NANOSECONDS)) {
                    wakes.drainPermits();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Threads that advance at once share the work, and nothing is handed out twice. */
    @Test
    void severalMayAdvanceAtOnce() throws Exception {
        WheelTimer timer = new WheelTimer(1, 8, 4, 0, () -> {});
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        List<Request> requests = new ArrayList<>();
        try {
            for (int round = 0; round < 20; round++) {
                long now = TimeUnit.SECONDS.toNanos(round);
                for (int i = 0; i < 1_000; i++) {
                    Request request = new Request(now);
                    requests.add(request);
                    timer.add(request, now, 1);
                }
                List<Callable<Long>> reapers = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    reapers.add(() -> timer.advance(now + 1_000_000, timeout -> ((Request) timeout).end()));
                }
                for (Future<Long> each : pool.invokeAll(reapers)) {
                    assertThat(each.get()).isEqualTo(Long.MAX_VALUE);
                }
            }
        } finally {
            pool.shutdown();
        }
        assertThat(complaints).isEmpty();
        assertThat(requests).extracting(request -> request.ends.get()).containsOnly(1);
    }
}
