/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of {@link Slots} and {@link WatchList}, one by one. */
class WatchListTest {
    private static final int SLOTS = 8;

    private final WatchLists<String, Request> lists = new WatchLists<>(Request::safeTryComplete, 0, SLOTS);
    private final WatchList<String> list = new WatchList<>(lists, "key", SLOTS);
    private int nextId;

    @Test
    void r1AStaleLeaveDoesNotTouchALaterRequest() {
        Slots slots = new Slots(list, 2, false);
        slots.put(request());
        Request first = request();
        Request second = request();
        slots.put(first);
        slots.leave(first, slotOf(first));
        slots.put(second);
        assertThat(slotOf(second)).isEqualTo(slotOf(first));
        slots.leave(first, slotOf(first));
        assertThat(slots.size()).isEqualTo(2);
        assertThat(slots.put(request())).isFalse();
    }

    @Test
    void r1ARequestThatIsThereTwiceLeavesOneSlotAtATime() {
        Slots slots = new Slots(list, 3, false);
        Request twice = request();
        slots.put(twice);
        int first = slotOf(twice);
        slots.put(twice);
        slots.leave(twice, slotOf(twice));
        assertThat(slots.size()).isOne();
        slots.leave(twice, first);
        assertThat(slots.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void r1EachRequestLeavesTheSlotThatItTook(boolean isShared) {
        for (int size = 1; size <= 64; size *= 2) {
            Slots slots = new Slots(list, size, isShared);
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                requests.add(request());
                assertThat(slots.put(requests.get(i))).isTrue();
                assertThat(slots.holds(requests.get(i), slotOf(requests.get(i))))
                        .isTrue();
            }
            assertThat(slots.put(request())).isFalse();
            assertThat(requests.stream().map(WatchListTest::slotOf).distinct()).hasSize(size);
            for (int left = size; left > 0; left--) {
                assertThat(slots.size()).isEqualTo(left);
                slots.leave(requests.get(left - 1), slotOf(requests.get(left - 1)));
            }
            assertThat(slots.isEmpty()).isTrue();
        }
    }

    @Test
    void r2AClosedSlotGroupTakesNoRequest() {
        Slots slots = new Slots(list, 3, false);
        assertThat(slots.closeIfEmpty()).isTrue();
        assertThat(slots.isClosed()).isTrue();
        assertThat(slots.put(request())).isFalse();
        assertThat(slots.closeIfEmpty()).as("once only").isFalse();
        assertThat(slots.isClosed()).isTrue();
    }

    @Test
    void r2ASlotGroupThatIsNotEmptyDoesNotClose() {
        for (int taken = 0; taken < 3; taken++) {
            Slots slots = new Slots(list, 3, false);
            List<Request> requests = List.of(request(), request(), request());
            requests.forEach(slots::put);
            for (int i = 0; i < 3; i++) {
                if (i != taken) {
                    slots.leave(requests.get(i), slotOf(requests.get(i)));
                }
            }
            assertThat(slots.closeIfEmpty()).isFalse();
            assertThat(slots.isClosed()).isFalse();
            assertThat(slots.size()).isOne();
            assertThat(slots.put(requests.get(taken))).as("the others are free").isTrue();
            assertThat(slots.put(requests.get(taken))).as("the others are free").isTrue();
            assertThat(slots.put(requests.get(taken))).isFalse();
        }
    }

    @Test
    void r2DrainingTakesAllAndLeavesItClosed() {
        Slots slots = new Slots(list, 3, false);
        Request one = request();
        Request other = request();
        slots.put(one);
        slots.put(other);
        List<Request> drained = new ArrayList<>();
        slots.drainTo(drained);
        assertThat(drained).containsExactly(one, other);
        assertThat(slots.isEmpty()).isTrue();
        slots.leave(one, slotOf(one));
        assertThat(slots.put(one)).isFalse();
    }

    @Test
    void l1ASlotGroupIsAddedWhenThereIsNoRoomAndDroppedWhenItIsEmpty() {
        List<Request> requests = new ArrayList<>();
        List<Slots> groups = new ArrayList<>();
        for (int i = 0; i < 100 * SLOTS; i++) {
            requests.add(request());
            groups.add(list.put(requests.get(i)));
        }
        assertThat(list.size()).isEqualTo(100 * SLOTS);
        assertThat(list.groupCount()).isEqualTo(101);
        for (int i = 0; i < 100 * SLOTS; i++) {
            groups.get(i).leave(requests.get(i), slotOf(requests.get(i)));
        }
        assertThat(list.size()).isZero();
        assertThat(list.groupCount()).isOne();
    }

    @Test
    void l2AClosedListTakesNoRequest() {
        assertThat(list.closeIfEmpty()).isTrue();
        assertThat(list.put(request())).isNull();
        assertThat(list.closeIfEmpty()).isFalse();
        assertThat(list.drain()).isEmpty();
    }

    @Test
    void l2AListWithARequestInAnySlotGroupDoesNotClose() {
        List<Request> requests = new ArrayList<>();
        List<Slots> groups = new ArrayList<>();
        for (int i = 0; i < 3 * SLOTS; i++) {
            requests.add(request());
            groups.add(list.put(requests.get(i)));
        }
        for (int i = 1; i < 3 * SLOTS; i++) {
            groups.get(i).leave(requests.get(i), slotOf(requests.get(i)));
            assertThat(list.closeIfEmpty()).isFalse();
        }
        assertThat(list.<Request>drain()).containsExactly(requests.get(0));
        assertThat(list.put(request())).isNull();
    }

    @Test
    void l3ASlotGroupThatAllLeftWhileItWasFoundFullIsDropped() {
        Request request = request();
        Slots full = Objects.requireNonNull(list.put(request));
        full.leave(request, slotOf(request));
        Slots next = list.openAfter(full);
        assertThat(next).isNotSameAs(full);
        assertThat(list.openAfter(full)).isSameAs(next);
        assertThat(list.groupCount()).isOne();
        assertThat(full.put(request)).isFalse();
        assertThat(list.put(request)).isSameAs(next);
    }

    @Test
    void l3OnlyTheOpenSlotGroupMayBeEmpty() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            WatchList<String> crowded = new WatchList<>(lists, "crowded", 1 + random.nextInt(SLOTS));
            List<Request> requests = new ArrayList<>();
            List<Slots> groups = new ArrayList<>();
            for (int step = 0; step < 500; step++) {
                if (requests.isEmpty() || random.nextInt(500) > step) {
                    requests.add(request());
                    groups.add(crowded.put(requests.get(requests.size() - 1)));
                } else {
                    int i = random.nextInt(requests.size());
                    Request leaving = requests.remove(i);
                    groups.remove(i).leave(leaving, slotOf(leaving));
                }
                assertThat(crowded.size()).as("seed %d", seed).isEqualTo(requests.size());
                assertThat(crowded.groupCount())
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo((int) groups.stream().distinct().count() + 1);
            }
        }
    }

    @Test
    void l4AReaderSeesAllRequestsWhileSlotGroupsAreAddedAndDropped() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            WatchLists<String, Request> changing = new WatchLists<>(Request::safeTryComplete, 0, 2);
            List<Request> leaving = new ArrayList<>();
            List<Integer> staying = new ArrayList<>();
            List<Integer> asked = new ArrayList<>();
            AtomicBoolean looking = new AtomicBoolean();
            for (int i = 0; i < 200; i++) {
                int id = i;
                Request request = new Request(id, () -> {
                    if (looking.get()) {
                        asked.add(id);
                        for (int n = random.nextInt(5); n > 0 && !leaving.isEmpty(); n--) {
                            leaving.remove(random.nextInt(leaving.size())).forceComplete();
                        }
                        request().tryCompleteElseWatch(changing, List.of("key"));
                    }
                    return false;
                });
                request.tryCompleteElseWatch(changing, List.of("key"));
                if (random.nextInt(4) == 0) {
                    staying.add(id);
                } else {
                    leaving.add(request);
                }
            }
            looking.set(true);
            changing.checkAndComplete("key");
            assertThat(asked).as("seed %d", seed).containsAll(staying).doesNotHaveDuplicates();
        }
    }

    @Test
    void whoHasWaitedLongestIsAskedFirst() {
        List<Integer> asked = new ArrayList<>();
        WatchLists<String, Request> fair = new WatchLists<>(Request::safeTryComplete, 0, SLOTS);
        Deque<Request> waiting = new ArrayDeque<>();
        for (int i = 0; i < 1000; i++) {
            int id = i;
            Request request = new Request(id, () -> !asked.add(id));
            request.tryCompleteElseWatch(fair, List.of("key"));
            waiting.addLast(request);
            if (waiting.size() > 3 + i / 20) {
                waiting.removeFirst().forceComplete();
            }
            asked.clear();
            fair.checkAndComplete("key");
            assertThat(asked).isEqualTo(waiting.stream().map(w -> w.id).toList());
        }
    }

    /** In a shared slot group the slots of a thread lie side by side, whatever other threads do. */
    @Test
    void threadsThatMeetHaveSlotsOfTheirOwn() throws Exception {
        WatchList<String> list = new WatchList<>(new WatchLists<>(Request::safeTryComplete), "key", 64);
        list.share();
        for (int i = 0; i < 4; i++) {
            list.put(request()); // the first slot group is small and not shared
        }
        Set<Integer> slots = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            FutureTask<List<Integer>> ofThread = new FutureTask<>(() -> {
                List<Integer> taken = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    Request request = request();
                    list.put(request);
                    taken.add(slotOf(request));
                }
                return taken;
            });
            new Thread(ofThread).start();
            int first = Collections.min(ofThread.get());
            assertThat(first % 16).isZero();
            assertThat(ofThread.get()).allMatch(slot -> slot < first + 16);
            slots.addAll(ofThread.get());
        }
        assertThat(slots).hasSize(64);
        assertThat(list.groupCount()).isEqualTo(2);
    }

    private Request request() {
        return Request.patient(nextId++);
    }

    private static int slotOf(Request request) {
        return StripeTurns.lastSlot(request.lastSlots);
    }
}
