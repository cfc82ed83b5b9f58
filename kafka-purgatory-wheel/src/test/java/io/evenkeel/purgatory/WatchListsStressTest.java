/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads that watch, force, trigger and cancel under a few popular keys and many others. Each key has a clock; a
 * request waits until the clock of one of its keys has moved on.
 *
 * <p>{@code -Dstress.seconds} says for how long.
 */
@Tag("slow")
class WatchListsStressTest {
    private static final long SECONDS = Long.getLong("stress.seconds", 3);
    private static final int THREADS = 4;
    private static final int POPULAR = 3;
    private static final int KEYS = 200;
    /** Only these are cancelled, so that no trigger of another one may be missed. */
    private static final Key CANCELLED = new Key(KEYS);

    private final AtomicLongArray clocks = new AtomicLongArray(KEYS + 1);

    @Test
    void eachIsCompletedOnceAndNoTriggerIsMissed() throws Exception {
        for (int slots : new int[] {1, 4, 32}) {
            WatchLists<Key, Request> lists = new WatchLists<>(Request::safeTryComplete, 20, slots);
            long deadline = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos() / 3;
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                List<Callable<List<Waiting>>> tasks = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    SplittableRandom random = new SplittableRandom(i);
                    tasks.add(() -> run(lists, random, deadline));
                }
                List<Waiting> left = new ArrayList<>();
                for (Future<List<Waiting>> task : threads.invokeAll(tasks)) {
                    left.addAll(task.get());
                }
                finish(lists, left);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Hesitates now and then as it is looked up, after the list was found. */
    private static final class Key {
        final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
        public boolean equals(Object other) {
            if (ThreadLocalRandom.current().nextInt(50) == 0) {
                Thread.yield();
            }
            return other instanceof Key key && key.number == number;
        }
    }

    /** A request, and what the clocks of its keys said before it came. */
    private final class Waiting {
        final Request request = new Request(0, this::isDue);
        final List<Key> keys;
        final List<Long> since;

        Waiting(List<Key> keys) {
            this.keys = keys;
            this.since = keys.stream().map(key -> clocks.get(key.number)).toList();
        }

        boolean isDue() {
            for (int i = 0; i < since.size(); i++) {
                if (clocks.get(keys.get(i).number) != since.get(i)) {
                    return true;
                }
            }
            return false;
        }
    }

    private List<Waiting> run(WatchLists<Key, Request> lists, SplittableRandom random, long deadline) {
        Deque<Waiting> own = new ArrayDeque<>();
        while (System.nanoTime() < deadline) {
            for (int i = 0; i < 100; i++) {
                operate(lists, random, own);
            }
        }
        return List.copyOf(own);
    }

    private void operate(WatchLists<Key, Request> lists, SplittableRandom random, Deque<Waiting> own) {
        int dice = random.nextInt(100);
        if (dice < 50) {
            own.addLast(watch(lists, random));
            if (own.size() > 200) {
                forceOldest(own);
            }
        } else if (dice < 70) {
            if (!own.isEmpty()) {
                forceOldest(own);
            }
        } else if (dice < 99) {
            Key key = key(random);
            clocks.incrementAndGet(key.number);
            lists.checkAndComplete(key);
        } else {
            lists.cancelForKey(CANCELLED);
        }
    }

    private Waiting watch(WatchLists<Key, Request> lists, SplittableRandom random) {
        List<Key> keys = IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(i -> key(random))
                .toList();
        Waiting waiting = new Waiting(keys);
        List<Key> under = new ArrayList<>(keys);
        if (random.nextInt(10) == 0) {
            under.add(CANCELLED);
        }
        if (waiting.request.tryCompleteElseWatch(lists, under)) {
            assertThat(waiting.request.completions()).isOne();
        }
        return waiting;
    }

    private static void forceOldest(Deque<Waiting> own) {
        Request request = own.removeFirst().request;
        boolean completed = request.isCompleted();
        boolean forced = request.forceComplete();
        assertThat(completed && forced).isFalse();
        assertThat(request.isCompleted()).isTrue();
        // Another thread that has completed it may not have counted that yet.
        assertThat(request.completions()).isBetween(forced ? 1 : 0, 1);
    }

    private void finish(WatchLists<Key, Request> lists, List<Waiting> left) {
        lists.cancelForKey(CANCELLED);
        int watched = 0;
        for (Waiting waiting : left) {
            assertThat(waiting.request.isCompleted()).as("W1").isEqualTo(waiting.isDue());
            watched += waiting.request.isCompleted() ? 0 : waiting.keys.size();
        }
        assertThat(lists.watched()).as("W2").isEqualTo(watched);
        for (Waiting waiting : left) {
            waiting.request.forceComplete();
            assertThat(waiting.request.completions()).isOne();
        }
        assertThat(lists.watched()).as("W2").isZero();
        assertThat(lists.groupCount()).as("L3").isEqualTo(lists.listCount());
        assertThat(lists.listCount()).as("W4").isLessThanOrEqualTo(20 + THREADS);
    }

    private static Key key(SplittableRandom random) {
        return new Key(random.nextInt(random.nextBoolean() ? POPULAR : KEYS));
    }
}
