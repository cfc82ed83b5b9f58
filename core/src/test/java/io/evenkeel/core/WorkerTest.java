/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WorkerTest {
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    private Worker worker(Worker.Step step) {
        return new Worker("test-worker", step, (name, failure) -> failures.add(name + ": " + failure.getMessage()));
    }

    @Test
    void stepThatThrowsIsReportedAndRunAgain() throws Exception {
        CountDownLatch third = new CountDownLatch(3);
        Worker worker = worker(now -> {
            third.countDown();
            throw new IllegalStateException("try " + third.getCount());
        });
        worker.start();
        third.await();
        worker.close(10_000);
        assertThat(failures).startsWith("test-worker: try 2", "test-worker: try 1", "test-worker: try 0");
    }

    @Test
    void onlyItsOwnStepIsCurrent() throws Exception {
        List<Boolean> seen = Collections.synchronizedList(new ArrayList<>());
        Semaphore runs = new Semaphore(0);
        Worker[] worker = new Worker[1];
        worker[0] = worker(now -> {
            seen.add(worker[0].isCurrent());
            runs.release();
            return TimeUnit.DAYS.toNanos(1);
        });
        worker[0].start();
        runs.acquire();
        worker[0].close(10_000);
        assertThat(seen).containsExactly(true);
        assertThat(worker[0].isCurrent()).isFalse();
    }

    @Test
    void wakeCutsAWaitShort() throws Exception {
        Semaphore runs = new Semaphore(0);
        Worker worker = worker(now -> {
            runs.release();
            return TimeUnit.DAYS.toNanos(1);
        });
        worker.start();
        runs.acquire();
        worker.wake();
        runs.acquire();
        worker.close(10_000);
        assertThat(failures).isEmpty();
    }

    @Test
    void wakeDuringAStepIsNotLost() throws Exception {
        Semaphore runs = new Semaphore(0);
        Semaphore go = new Semaphore(0);
        Worker worker = worker(now -> {
            runs.release();
            go.acquire();
            return TimeUnit.DAYS.toNanos(1);
        });
        worker.start();
        runs.acquire();
        worker.wake();
        go.release(2);
        runs.acquire();
        worker.close(10_000);
        assertThat(failures).isEmpty();
    }

    @Test
    void closeWaitsForTheStepAndNoOtherIsRun() throws Exception {
        Semaphore runs = new Semaphore(0);
        List<Boolean> seen = Collections.synchronizedList(new ArrayList<>());
        Worker worker = worker(now -> {
            runs.release();
            return TimeUnit.DAYS.toNanos(1);
        });
        worker.start();
        runs.acquire();
        assertThat(worker.close(10_000)).isTrue();
        seen.add(worker.isClosed());
        worker.wake();
        assertThat(seen).containsExactly(true);
        assertThat(runs.availablePermits()).isZero();
    }

    @Test
    void closeTellsOfAStepThatHangs() throws Exception {
        Semaphore runs = new Semaphore(0);
        Semaphore hangs = new Semaphore(0);
        Worker worker = worker(now -> {
            runs.release();
            hangs.acquire();
            return 0;
        });
        worker.start();
        runs.acquire();
        assertThat(worker.close(1)).isFalse();
        assertThat(worker.close(-1)).isFalse();
        hangs.release();
        assertThat(worker.close(10_000)).isTrue();
        assertThat(failures).isEmpty();
    }
}
