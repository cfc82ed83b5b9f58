/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two threads ask for requests without a pause, and each try takes long and fails, as with a fetch of hundreds of
 * partitions that waits for many bytes. A third thread, like the executor of a timer, forces one request after another
 * and must not hang on any of them (C5).
 */
@Timeout(60)
class ConstantQuestionsTest {
    private static final int ASKERS = 2;
    private static final String KEY = "key";
    private static final long TRY_NANOS = Duration.ofNanos(200_000).toNanos();

    /** Much more than one try takes, as the threads may have to share a busy processor with others. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final WatchLists<String, Request> lists = new WatchLists<>(Request::safeTryComplete);
    private final Thread executor = Thread.currentThread();
    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicInteger triesBehindTheExecutor = new AtomicInteger();
    private volatile boolean done;

    @Test
    void c5AtMostOneTryBeginsWhileAThreadWaitsToFinish() throws Exception {
        whileThreadsAsk(() -> {
            for (int i = 0; i < 100; i++) {
                triesBehindTheExecutor.set(0);
                forceOneThatIsTried(i);
                assertThat(triesBehindTheExecutor).hasValueLessThanOrEqualTo(1);
            }
        });
    }

    @Test
    @Tag("slow")
    void c5TheExecutorIsSoonThroughWithEachRequest() throws Exception {
        long[] nanos = new long[1000];
        whileThreadsAsk(() -> {
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = forceOneThatIsTried(i);
            }
        });
        Arrays.sort(nanos);
        assertThat(Duration.ofNanos(nanos[nanos.length - 2])).as("p99.9").isLessThan(LONGEST);
    }

    /** One thread runs all timeouts of a purgatory, so those that come after the asked request's wait for that one. */
    @Test
    void c5TheOtherRequestsExpireInTime() throws Exception {
        WheelTimer timer = new WheelTimer(1, 64, 1, System.nanoTime(), () -> {});
        whileThreadsAsk(() -> {
            for (int round = 0; round < 10; round++) {
                Request asked = watchOneThatIsTried(round);
                long start = System.nanoTime();
                timer.add(new Timed(asked), start, 1);
                for (int i = 0; i < 20; i++) {
                    timer.add(new Timed(Request.patient(i)), start, 2);
                }
                while (timer.size() > 0) {
                    timer.advance(
                            System.nanoTime(),
                            due -> assertThat(((Timed) due).request.forceComplete())
                                    .isTrue());
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .as("the last of the others")
                        .isLessThan(LONGEST);
            }
        });
    }

    /** The timeout of a request. */
    private static final class Timed extends io.evenkeel.purgatory.Timeout {
        final Request request;

        Timed(Request request) {
            this.request = request;
        }
    }

    /** Answers how long the finish took. */
    private long forceOneThatIsTried(int id) {
        Request request = watchOneThatIsTried(id);
        long start = System.nanoTime();
        assertThat(request.forceComplete()).isTrue();
        return System.nanoTime() - start;
    }

    private Request watchOneThatIsTried(int id) {
        Request request = new Request(id, this::failSlowly);
        // No try of our own: this thread would be asked for the next one all the time, and would not come to force it.
        request.enter();
        lists.watch(request, List.of(KEY));
        request.exit();
        int before = tries.get();
        while (tries.get() == before) {
            Thread.onSpinWait();
        }
        return request;
    }

    private void whileThreadsAsk(Runnable task) throws Exception {
        ExecutorService askers = Executors.newFixedThreadPool(ASKERS);
        try {
            List<Future<?>> asking = List.of(askers.submit(this::ask), askers.submit(this::ask));
            task.run();
            done = true;
            for (Future<?> asker : asking) {
                asker.get();
            }
        } finally {
            done = true;
            askers.shutdownNow();
        }
    }

    private void ask() {
        while (!done) {
            lists.checkAndComplete(KEY);
        }
    }

    private boolean failSlowly() {
        // Only finish makes the executor sleep with a time limit, and it announces itself before that.
        if (executor.getState() == Thread.State.TIMED_WAITING) {
            triesBehindTheExecutor.incrementAndGet();
        }
        tries.incrementAndGet();
        long end = System.nanoTime() + TRY_NANOS;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        return false;
    }
}
