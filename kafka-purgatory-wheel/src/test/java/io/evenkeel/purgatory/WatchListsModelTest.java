/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random operations against a plain list for each key, among them such that a request begins out of its own completion
 * or out of being asked. After each operation, the lists and the model must hold the same requests.
 *
 * <p>{@code -Dseeds} says how many runs, {@code -Dseed} the first seed; a failure names its seed.
 */
class WatchListsModelTest {
    private static final int SEEDS = Integer.getInteger("seeds", 100);
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final int STEPS = 300;
    private static final int KEYS = 5;
    private static final int DEEPEST = 4;

    private final Set<String> seen = new HashSet<>();

    @Test
    void listsAgreeWithPlainOnes() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                new Run(new Random(seed)).run();
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        assertThat(seen)
                .as("the runs must reach everything")
                .contains("watch", "complete at once", "complete at the second try", "force", "trigger", "cancel")
                .contains("watch again", "within");
    }

    private final class Run {
        private final Random random;
        private final Asked asked = new Asked();
        private final WatchLists<Integer, Request> lists;
        private final int maxIdle;

        private final List<List<Request>> model = IntStream.range(0, KEYS)
                .<List<Request>>mapToObj(key -> new ArrayList<>())
                .toList();
        private final List<Request> pending = new ArrayList<>();
        /** The requests that complete at their next try. */
        private final Set<Integer> ready = new HashSet<>();
        /**
         * The requests that were ready when their key was checked: they complete at once, or when no thread holds them.
         */
        private final List<Request> triggered = new ArrayList<>();

        private int nextId;
        private int depth;

        Run(Random random) {
            this.random = random;
            maxIdle = random.nextInt(KEYS);
            lists = new WatchLists<>(asked, maxIdle, 1 + random.nextInt(5));
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                operate();
                check();
            }
            depth = DEEPEST;
            List.copyOf(pending).forEach(this::force);
            check();
            assertThat(lists.watched()).isZero();
            assertThat(lists.groupCount()).as("L3").isEqualTo(lists.listCount());
            assertThat(lists.listCount()).as("W4").isLessThanOrEqualTo(maxIdle);
        }

        private void operate() {
            int dice = random.nextInt(100);
            if (pending.isEmpty() || dice < 45) {
                watch();
            } else if (dice < 60) {
                force(any(pending));
            } else if (dice < 85) {
                trigger();
            } else if (dice < 92) {
                cancel(random.nextInt(KEYS));
            } else {
                watchAgain(any(pending));
            }
        }

        private void watch() {
            int id = nextId++;
            Request request = new Request(id, () -> isReady(id), () -> completed(id));
            pending.add(request);
            List<Integer> keys = keys();
            if (random.nextInt(10) == 0) {
                ready.add(id);
                seen.add("complete at once");
            }
            boolean completed = request.tryCompleteElseWatch(lists, keys);
            assertThat(completed).as("by this call").isIn(request.isCompleted(), false);
            if (!request.isCompleted()) {
                keys.forEach(key -> model.get(key).add(request));
                seen.add("watch");
            }
        }

        private void watchAgain(Request request) {
            List<Integer> keys = keys();
            request.tryCompleteElseWatch(lists, keys);
            if (!request.isCompleted()) {
                keys.forEach(key -> model.get(key).add(request));
                seen.add("watch again");
            }
        }

        private void force(Request request) {
            if (!request.forceComplete()) {
                assertThat(request.completions()).isOne();
            }
            seen.add("force");
        }

        /** All, or some, of those under a key become ready, and are asked. */
        private void trigger() {
            int key = random.nextInt(KEYS);
            List<Request> before = model.get(key).stream()
                    .distinct()
                    .filter(request -> random.nextInt(3) > 0)
                    .toList();
            before.forEach(request -> ready.add(request.id));
            int completed = lists.checkAndComplete(key);
            triggered.addAll(before);
            if (completed > 0) {
                seen.add("trigger");
            }
        }

        private void cancel(int key) {
            List<Request> cancelled = lists.cancelForKey(key);
            assertThat(ids(cancelled)).isEqualTo(ids(model.get(key)));
            model.get(key).clear();
            if (!cancelled.isEmpty()) {
                seen.add("cancel");
            }
        }

        /** The condition of a request; now and then it does something else before it answers. */
        private boolean isReady(int id) {
            if (random.nextInt(20) == 0) {
                within();
            }
            if (random.nextInt(30) == 0 && ready.add(id)) {
                seen.add("complete at the second try");
            }
            return ready.contains(id);
        }

        private void completed(int id) {
            pending.removeIf(request -> request.id == id);
            model.forEach(list -> list.removeIf(request -> request.id == id));
            if (random.nextInt(3) == 0) {
                within();
            }
        }

        private void within() {
            if (depth < DEEPEST) {
                depth++;
                seen.add("within");
                // Not a cancel of what is just being watched: the model learns of that when it is done.
                switch (random.nextInt(3)) {
                    case 0 -> watch();
                    case 1 ->
                        Stream.of(pending)
                                .filter(list -> !list.isEmpty())
                                .map(this::any)
                                .forEach(this::force);
                    default -> trigger();
                }
                depth--;
            }
        }

        private void check() {
            assertThat(triggered).as("W1, C4: all ready requests").allMatch(Request::isCompleted);
            triggered.clear();
            for (int key = 0; key < KEYS; key++) {
                assertThat(asked.under(lists, key)).as("under key %d", key).isEqualTo(ids(model.get(key)));
            }
            int watched = model.stream().mapToInt(List::size).sum();
            assertThat(lists.watched()).isEqualTo(watched);
            long live = model.stream().filter(list -> !list.isEmpty()).count();
            assertThat(lists.listCount()).as("W4").isLessThanOrEqualTo((int) live + maxIdle);
            assertThat(lists.groupCount()).as("L3").isLessThanOrEqualTo(lists.listCount() + watched);
            assertThat(pending).allMatch(request -> request.completions() == 0);
        }

        private List<Integer> keys() {
            return random.ints(1 + random.nextInt(4), 0, KEYS).boxed().toList();
        }

        private <T> T any(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        private static List<Integer> ids(List<Request> requests) {
            return requests.stream().map(request -> request.id).sorted().toList();
        }
    }
}
