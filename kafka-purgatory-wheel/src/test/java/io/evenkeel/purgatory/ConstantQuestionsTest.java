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
@Tag("slow")
@Timeout(60)
class ConstantQuestionsTest {
    private static final int REQUESTS = 1000;
    private static final int ASKERS = 2;
    private static final String KEY = "key";
    private static final long TRY_NANOS = Duration.ofNanos(200_000).toNanos();

    private final WatchLists<String, Request> lists = new WatchLists<>(Request::safeTryComplete);
    private final AtomicInteger tries = new AtomicInteger();
    private volatile boolean done;

    @Test
    void aForcedRequestIsThroughAfterTheRunningTry() throws Exception {
        ExecutorService askers = Executors.newFixedThreadPool(ASKERS);
        try {
            List<Future<?>> asking = List.of(askers.submit(this::ask), askers.submit(this::ask));
            int[] triesMeanwhile = new int[REQUESTS];
            long[] nanos = new long[REQUESTS];
            for (int i = 0; i < REQUESTS; i++) {
                Request request = new Request(i, this::failSlowly);
                watch(request);
                int before = tries.get();
                while (tries.get() == before) {
                    Thread.onSpinWait();
                }
                int from = tries.get();
                long start = System.nanoTime();
                assertThat(request.forceComplete()).isTrue();
                nanos[i] = System.nanoTime() - start;
                triesMeanwhile[i] = tries.get() - from;
            }
            done = true;
            for (Future<?> asker : asking) {
                asker.get();
            }
            Arrays.sort(triesMeanwhile);
            Arrays.sort(nanos);
            System.out.println("tries p50 " + triesMeanwhile[REQUESTS / 2] + " p99 "
                    + triesMeanwhile[REQUESTS * 99 / 100] + " max " + triesMeanwhile[REQUESTS - 1] + "; us p50 "
                    + nanos[REQUESTS / 2] / 1000 + " p99 " + nanos[REQUESTS * 99 / 100] / 1000 + " p99.9 "
                    + nanos[REQUESTS - 2] / 1000 + " max " + nanos[REQUESTS - 1] / 1000);
            assertThat(triesMeanwhile[REQUESTS * 99 / 100]).isLessThan(10);
        } finally {
            done = true;
            askers.shutdownNow();
        }
    }

    /** Without a try: this thread would be asked for the next one all the time, and would not come to force it. */
    private void watch(Request request) {
        request.enter();
        lists.watch(request, List.of(KEY));
        request.exit();
    }

    private void ask() {
        while (!done) {
            lists.checkAndComplete(KEY);
        }
    }

    private boolean failSlowly() {
        tries.incrementAndGet();
        long end = System.nanoTime() + TRY_NANOS;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        return false;
    }
}
