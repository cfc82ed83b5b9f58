/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The invariants of {@link Watched} as the lock of a request. */
@Timeout(60)
class WatchedTest {
    private static final int THREADS = 4;

    private final Waiting request = new Waiting();

    /** Only the holder of the request writes it, or the thread that has finished the request. */
    private long count;

    private static final class Waiting extends Watched {}

    @Test
    void c1OneCallFinishesIt() throws Exception {
        for (int round = 0; round < 2000; round++) {
            Waiting contended = new Waiting();
            List<Boolean> finished = inThreads(contended::finish);
            assertThat(finished).containsOnlyOnce(true);
            assertThat(contended.isFinished()).isTrue();
            assertThat(contended.enter()).as("it is never held again").isFalse();
        }
    }

    @Test
    void c2AndC3OneThreadHoldsItAtATimeAndSeesEarlierWrites() throws Exception {
        int rounds = 200_000;
        inThreads(() -> {
            for (int round = 0; round < rounds; round++) {
                assertThat(request.enter()).isTrue();
                count++;
                request.exit();
            }
            return true;
        });
        assertThat(request.finish()).isTrue();
        assertThat(count).isEqualTo((long) THREADS * rounds);
    }

    @Test
    void c2FinishWaitsForTheHolder() throws Exception {
        assertThat(request.enter()).isTrue();
        FutureTask<Boolean> finishing = new FutureTask<>(request::finish);
        awaitSleep(started(finishing));
        assertThat(request.isFinished()).isFalse();
        request.exit();
        assertThat(finishing.get()).isTrue();
    }

    @Test
    void whoHoldsItMayFinishItAndLearnsThatHeHolds() {
        assertThat(request.enter()).isTrue();
        assertThat(request.enter()).as("he holds it already").isFalse();
        assertThat(request.finish()).isTrue();
        assertThat(request.finish()).isFalse();
        request.exit();
        assertThat(request.isFinished()).as("for ever").isTrue();
    }

    /** The work after the finish may take long; the thread that has finished the request does it. */
    @Test
    void whoWaitsForItWaitsNoLongerThanUntilItIsFinished() throws Exception {
        assertThat(request.enter()).isTrue();
        FutureTask<Boolean> entering = new FutureTask<>(request::enter);
        FutureTask<Boolean> finishing = new FutureTask<>(request::finish);
        awaitSleep(started(entering));
        awaitSleep(started(finishing));
        assertThat(request.finish()).isTrue();
        assertThat(entering.get()).isFalse();
        assertThat(finishing.get()).isFalse();
    }

    @Test
    void c4TheHolderLearnsThatAnotherThreadHasAsked() {
        assertThat(request.enterOrAsk()).isTrue();
        assertThat(request.exit()).as("no thread has asked").isFalse();
        assertThat(request.enter()).isTrue();
        assertThat(request.enterOrAsk()).as("he asks himself").isFalse();
        assertThat(request.enterOrAsk()).isFalse();
        assertThat(request.enter()).as("he still holds it").isFalse();
        assertThat(request.exit()).isTrue();
        assertThat(request.enterOrAsk()).as("the holder learns of it once").isTrue();
        assertThat(request.exit()).isFalse();
    }

    @Test
    void c4TheFinishingThreadNeedNotTryAgain() {
        assertThat(request.enter()).isTrue();
        assertThat(request.enterOrAsk()).isFalse();
        assertThat(request.finish()).isTrue();
        assertThat(request.exit()).isFalse();
        assertThat(request.enterOrAsk()).isFalse();
    }

    /** If a thread adds one and cannot enter, the holder sees it before it exits for good. */
    @Test
    void c4NoQuestionIsLost() throws Exception {
        AtomicLong asked = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        inThreads(() -> {
            for (int round = 0; round < 200_000; round++) {
                asked.incrementAndGet();
                boolean again = true;
                while (again) {
                    boolean entered = request.enterOrAsk();
                    if (entered) {
                        seen.set(asked.get());
                    }
                    again = entered && request.exit();
                }
            }
            return true;
        });
        assertThat(seen).hasValue((long) THREADS * 200_000);
    }

    @Test
    void c5ExitYieldsToAThreadThatWaitsToFinish() throws Exception {
        assertThat(request.enter()).isTrue();
        assertThat(request.enterOrAsk()).isFalse();
        FutureTask<Boolean> finishing = new FutureTask<>(request::finish);
        awaitSleep(started(finishing));
        assertThat(request.enterOrAsk()).as("he asks again").isFalse();
        assertThat(request.enter()).as("he still holds it").isFalse();
        assertThat(request.exit()).as("no thread need try it again").isFalse();
        assertThat(request.isFinished()).as("before the other thread is awake").isTrue();
        assertThat(finishing.get()).isTrue();
    }

    @Test
    void c5TheHolderMayFinishItAlthoughAnotherThreadWaitsToDoSo() throws Exception {
        assertThat(request.enter()).isTrue();
        FutureTask<Boolean> finishing = new FutureTask<>(request::finish);
        awaitSleep(started(finishing));
        assertThat(request.finish()).isTrue();
        assertThat(request.exit()).isFalse();
        assertThat(finishing.get()).isFalse();
    }

    @Test
    void c5OneOfTheThreadsThatWaitFinishesIt() throws Exception {
        assertThat(request.enter()).isTrue();
        FutureTask<Boolean> one = new FutureTask<>(request::finish);
        FutureTask<Boolean> other = new FutureTask<>(request::finish);
        awaitSleep(started(one));
        awaitSleep(started(other));
        assertThat(request.exit()).isFalse();
        assertThat(List.of(one.get(), other.get())).containsOnlyOnce(true);
    }

    private static Thread started(FutureTask<Boolean> task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    /** Nothing else makes a thread wait with a time limit here. */
    private static void awaitSleep(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private static List<Boolean> inThreads(Callable<Boolean> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                tasks.add(task);
            }
            List<Boolean> answers = new ArrayList<>();
            for (Future<Boolean> answer : pool.invokeAll(tasks)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            pool.shutdown();
        }
    }
}
