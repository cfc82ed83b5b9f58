/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinLockTest {
    private final SpinLock lock = new SpinLock();

    /** Guarded by the lock, and by nothing else. */
    private long count;

    @Test
    void oneThreadAtATimeAndEachSeesTheWritesOfTheOneBefore() throws Exception {
        int threads = 4;
        int rounds = 200_000;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                tasks.add(() -> {
                    for (int round = 0; round < rounds; round++) {
                        lock.lock();
                        count++;
                        lock.unlock();
                    }
                    return null;
                });
            }
            for (Future<Void> done : pool.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            pool.shutdown();
        }
        assertThat(count).isEqualTo((long) threads * rounds);
    }

    @Test
    void whoWaitsLongerThanItSpinsGetsTheLockYet() throws Exception {
        CountDownLatch locked = new CountDownLatch(1);
        lock.lock();
        Thread other = new Thread(() -> {
            lock.lock();
            locked.countDown();
            lock.unlock();
        });
        other.start();
        // Parked, as nothing else makes a thread wait with a time limit here.
        while (other.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(locked.getCount()).isOne();
        lock.unlock();
        assertThat(locked.await(30, TimeUnit.SECONDS)).isTrue();
        other.join();
    }
}
