/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of {@link WatchLists}, one by one, and what it is to cost in memory. */
class WatchListsTest {
    private final Asked asked = new Asked();
    private final WatchLists<Object, Request> lists = new WatchLists<>(asked);

    @Test
    void w1ATriggerDuringTheFirstTryIsNotMissed() {
        AtomicBoolean happened = new AtomicBoolean();
        Request request = new Request(1, () -> {
            if (happened.compareAndSet(false, true)) {
                assertThat(lists.checkAndComplete("key")).isZero();
                return false;
            }
            return true;
        });
        assertThat(request.tryCompleteElseWatch(lists, List.of("key"))).isTrue();
        assertThat(lists.watched()).isZero();
    }

    /** A thread that checks one of its keys meanwhile neither waits nor writes. */
    @Test
    void w1ATriggerWhileItIsBeingWatchedIsSeenByTheSecondTry() {
        List<Boolean> checks = new ArrayList<>();
        AtomicBoolean happened = new AtomicBoolean();
        WatchLists<Object, Request> counting = new WatchLists<>(request -> checks.add(true));
        Request request = new Request(1, happened::get);
        Object last = new KeyThatRuns(() -> {
            happened.set(true);
            assertThat(counting.checkAndComplete("a")).isZero();
        });
        assertThat(request.tryCompleteElseWatch(counting, List.of("a", last))).isTrue();
        assertThat(checks).isEmpty();
        assertThat(counting.watched()).isZero();
    }

    @Test
    void w1ATriggerAfterTheSecondTryFindsIt() {
        AtomicBoolean happened = new AtomicBoolean();
        Request request = new Request(1, happened::get);
        assertThat(request.tryCompleteElseWatch(lists, List.of("a", "b"))).isFalse();
        assertThat(lists.checkAndComplete("a")).isZero();
        happened.set(true);
        assertThat(lists.checkAndComplete("b")).isOne();
        assertThat(lists.checkAndComplete("a")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void w2ACompletedRequestIsUnderNoneOfItsKeys(int count) {
        List<Object> keys = List.<Object>of("a", "b", "c", "b", "d", "e", "f").subList(0, count);
        Request request = Request.patient(1);
        Request other = Request.patient(2);
        request.tryCompleteElseWatch(lists, keys);
        other.tryCompleteElseWatch(lists, keys);
        assertThat(lists.watched()).isEqualTo(2 * count);
        for (Object key : keys) {
            int times = Collections.frequency(keys, key);
            List<Integer> both = new ArrayList<>(Collections.nCopies(times, 1));
            both.addAll(Collections.nCopies(times, 2));
            assertThat(asked.under(lists, key)).containsExactlyElementsOf(both);
        }

        assertThat(request.forceComplete()).isTrue();
        assertThat(lists.watched()).isEqualTo(count);
        for (Object key : keys) {
            assertThat(asked.under(lists, key))
                    .containsExactlyElementsOf(Collections.nCopies(Collections.frequency(keys, key), 2));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void w2ARequestThatCompletesWhileItIsBeingWatchedIsUnderNoKey(int count) {
        for (int at = 0; at < count; at++) {
            Request request = Request.patient(1);
            List<Object> keys =
                    new ArrayList<>(List.of("a", "b", "c", "d", "e", "f").subList(0, count - 1));
            keys.add(at, new KeyThatRuns(request::forceComplete));
            assertThat(request.tryCompleteElseWatch(lists, keys)).isFalse();
            assertThat(request.completions()).isOne();
            assertThat(lists.watched()).isZero();
        }
    }

    @Test
    void w2ACompletedRequestIsNotWatched() {
        Request request = Request.patient(1);
        request.forceComplete();
        assertThat(request.tryCompleteElseWatch(lists, List.of("a"))).isFalse();
        assertThat(request.tryCompleteElseWatch(lists, List.of("a", "b"))).isFalse();
        assertThat(lists.watched()).isZero();
    }

    @Test
    void w2ARequestThatIsWatchedAgainLeavesAllItsLists() {
        Request request = Request.patient(1);
        request.tryCompleteElseWatch(lists, List.of("a"));
        request.tryCompleteElseWatch(lists, List.of("b", "c"));
        request.tryCompleteElseWatch(lists, List.of("d"));
        assertThat(lists.watched()).isEqualTo(4);
        request.forceComplete();
        assertThat(lists.watched()).isZero();

        Request another = Request.patient(2);
        another.tryCompleteElseWatch(lists, List.of("a", "b", "c"));
        another.tryCompleteElseWatch(lists, List.of("d"));
        assertThat(lists.watched()).isEqualTo(4);
        another.forceComplete();
        assertThat(lists.watched()).isZero();
    }

    @Test
    void w2AKeyThatFailsLeavesTheRequestUnderThoseBeforeItUntilItCompletes() {
        Request request = Request.patient(1);
        List<Object> keys = List.of("a", new KeyThatRuns(() -> {
            throw new IllegalStateException("no hash");
        }));
        assertThatIllegalStateException().isThrownBy(() -> request.tryCompleteElseWatch(lists, keys));
        assertThat(asked.under(lists, "a")).containsExactly(1);
        request.forceComplete();
        assertThat(lists.watched()).isZero();
    }

    @Test
    void w2ARequestUnderVeryManyKeysLeavesAllOfThem() {
        List<Object> keys = IntStream.range(0, 1000).<Object>mapToObj(i -> i).toList();
        List<Request> requests =
                IntStream.range(0, 10).mapToObj(Request::patient).toList();
        for (Request request : requests) {
            request.tryCompleteElseWatch(lists, keys.subList(0, 2));
            request.tryCompleteElseWatch(lists, keys.subList(2, 200 + request.id));
            request.tryCompleteElseWatch(lists, keys.subList(200 + request.id, 1000));
        }
        assertThat(lists.watched()).isEqualTo(10_000);
        assertThat(lists.cancelForKey(300)).hasSize(10);
        for (int left = 9; left >= 0; left--) {
            assertThat(requests.get(left).forceComplete()).isTrue();
            assertThat(lists.watched()).isEqualTo(left * 999);
        }
        assertThat(lists.groupCount()).as("L3").isEqualTo(999);
    }

    @Test
    void w3ARequestAfterACancelIsWatched() {
        Request before = Request.patient(1);
        Request after = Request.patient(2);
        before.tryCompleteElseWatch(lists, List.of("a", "b"));
        assertThat(lists.cancelForKey("a")).containsExactly(before);
        assertThat(before.isCompleted()).isFalse();
        after.tryCompleteElseWatch(lists, List.of("a"));

        assertThat(asked.under(lists, "a")).containsExactly(2);
        assertThat(asked.under(lists, "b"))
                .as("cancelled under the one key only")
                .containsExactly(1);
        assertThat(before.forceComplete()).isTrue();
        assertThat(lists.watched()).isOne();
        assertThat(lists.cancelForKey("unknown")).isEmpty();
        assertThat(lists.cancelForKey("b")).as("it has left").isEmpty();
    }

    @Test
    void w3AClosedListIsReplacedByAnother() {
        WatchLists<Object, Request> disturbed = new WatchLists<>(Request::safeTryComplete, 0, 4);
        Deque<Runnable> asTheListIsFound = new ArrayDeque<>();
        Object key = new KeyThatRuns(
                () -> {}, () -> Optional.ofNullable(asTheListIsFound.poll()).ifPresent(Runnable::run));
        Object sameKey = new KeyThatRuns(() -> {}, () -> {});
        Request before = Request.patient(1);
        Request other = Request.patient(2);
        before.tryCompleteElseWatch(disturbed, List.of(sameKey));
        asTheListIsFound.add(() -> {
            assertThat(disturbed.cancelForKey(sameKey)).containsExactly(before);
            other.tryCompleteElseWatch(disturbed, List.of(sameKey));
        });
        asTheListIsFound.add(() -> {}); // the closed list is to be removed: it is not there any more
        asTheListIsFound.add(other::forceComplete);
        Request request = Request.patient(3);
        request.tryCompleteElseWatch(disturbed, List.of(key));
        assertThat(asTheListIsFound).isEmpty();
        assertThat(disturbed.watched()).isOne();
        assertThat(disturbed.cancelForKey(sameKey)).containsExactly(request);
    }

    @Test
    void w4ABoundedNumberOfEmptyListsStays() {
        WatchLists<Object, Request> few = new WatchLists<>(Request::safeTryComplete, 10, 4);
        List<Request> requests = IntStream.range(0, 1000)
                .mapToObj(i -> {
                    Request request = Request.patient(i);
                    request.tryCompleteElseWatch(few, List.of(i));
                    return request;
                })
                .toList();
        assertThat(few.listCount()).isEqualTo(1000);
        requests.forEach(Request::forceComplete);
        assertThat(few.watched()).isZero();
        assertThat(few.listCount()).isEqualTo(10);

        Request again = Request.patient(1000);
        again.tryCompleteElseWatch(few, List.of("another"));
        again.forceComplete();
        assertThat(few.listCount()).isEqualTo(10);
    }

    @Test
    void nothingIsRetainedOfRequestsThatWereForceCompleted() {
        List<Object> keys =
                IntStream.range(0, 100).<Object>mapToObj(i -> "key-" + i).toList();
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            Request request = Request.patient(i);
            request.tryCompleteElseWatch(lists, keys);
            requests.add(request);
        }
        assertThat(lists.watched()).isEqualTo(20_000_000);
        List<WeakReference<Request>> samples = requests.stream()
                .filter(r -> r.id % 1000 == 0)
                .map(WeakReference::new)
                .toList();

        requests.forEach(Request::forceComplete);
        assertThat(lists.watched()).isZero();
        assertThat(lists.listCount()).isEqualTo(100);
        assertThat(lists.groupCount()).isEqualTo(100);
        assertThat(requests).allMatch(request -> request.groups == null);

        requests.clear();
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (samples.stream().anyMatch(sample -> sample.get() != null) && System.nanoTime() < deadline) {
            System.gc();
        }
        assertThat(samples).allMatch(sample -> sample.get() == null);
    }

    /**
     * Runs something when it is looked up for the first time, and something else when it is compared; equals all of its
     * kind.
     */
    private static final class KeyThatRuns {
        private @Nullable Runnable once;
        private final Runnable whenCompared;

        KeyThatRuns(Runnable once) {
            this(once, () -> {});
        }

        KeyThatRuns(Runnable once, Runnable whenCompared) {
            this.once = once;
            this.whenCompared = whenCompared;
        }

        @Override
        public int hashCode() {
            Runnable now = once;
            once = null;
            if (now != null) {
                now.run();
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            whenCompared.run();
            return other instanceof KeyThatRuns;
        }
    }
}
