/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two requests, each under a key of its own and all under a shared one, in lists with the smallest slot groups. No
 * empty list stays.
 *
 * <p>{@code -Dlincheck.scenarios} says how many random scenarios, {@code -Dlincheck.invocations} how often each is run.
 */
@Param(name = "id", gen = IntGen.class, conf = "0:1")
@Tag("slow")
public class WatchListsLincheckTest {
    private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 5);
    private static final int INVOCATIONS = Integer.getInteger("lincheck.invocations", 60);
    private static final int REQUESTS = 2;
    private static final int SHARED = REQUESTS;

    private final Asked asked = new Asked();
    private final WatchLists<Integer, Request> lists = new WatchLists<>(asked, 0, 1);
    private final AtomicIntegerArray happened = new AtomicIntegerArray(REQUESTS);
    private final AtomicReferenceArray<@Nullable Request> requests = new AtomicReferenceArray<>(REQUESTS);
    private final AtomicIntegerArray cancelled = new AtomicIntegerArray(REQUESTS);

    @Test
    void resultsAreThoseOfSomeOrder() throws Exception {
        Actor cancel = actor("cancelShared");
        new ModelCheckingOptions()
                // One comes as the last one leaves, and as others are cancelled; all leave; a trigger meets the
                // watching.
                .addCustomScenario(
                        scenario(List.of(actor("watch", 0)), List.of(actor("force", 0)), List.of(actor("watch", 1))))
                .addCustomScenario(scenario(
                        List.of(actor("watch", 0)), List.of(cancel), List.of(actor("watch", 1), actor("force", 0))))
                .addCustomScenario(scenario(
                        List.of(actor("watch", 0), actor("watch", 1)),
                        List.of(actor("force", 0)),
                        List.of(actor("trigger", 1))))
                .addCustomScenario(scenario(
                        List.of(), List.of(actor("watch", 0)), List.of(actor("trigger", 0), actor("trigger", 0))))
                .iterations(SCENARIOS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsBefore(2)
                .actorsPerThread(2)
                .actorsAfter(0)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(ConcurrentHashMap.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .check(WatchListsLincheckTest.class);
    }

    /** Something before, then two threads. */
    private static ExecutionScenario scenario(List<Actor> before, List<Actor> one, List<Actor> other) {
        return new ExecutionScenario(before, List.of(one, other), List.of(), null);
    }

    private static Actor actor(String operation, Object... arguments) throws NoSuchMethodException {
        Class<?>[] types = new Class<?>[arguments.length];
        Arrays.fill(types, int.class);
        Method method = WatchListsLincheckTest.class.getMethod(operation, types);
        return new Actor(method, List.of(arguments), false, false, false, false, false);
    }

    /** Null if there is such a request already. Others may know it as soon as it is held. */
    @Operation
    public @Nullable Boolean watch(@Param(name = "id") int id) {
        Request request = new Request(id, () -> happened.get(id) != 0);
        request.enter();
        boolean isNew = requests.compareAndSet(id, null, request);
        boolean completed = isNew && request.tryCompleteElseWatch(lists, List.of(id, SHARED));
        if (request.exit()) {
            completed |= request.safeTryComplete();
        }
        return isNew ? completed : null;
    }

    /** Null if there is no such request. */
    @Operation
    public @Nullable Boolean force(@Param(name = "id") int id) {
        Request request = requests.get(id);
        return request == null ? null : request.forceComplete();
    }

    /**
     * Answers how many requests it has completed: no other request is under that key, so the number is that of some
     * order. A request that completes while it is being watched might as well have come after the trigger.
     */
    @Operation
    public int trigger(@Param(name = "id") int id) {
        happened.set(id, 1);
        return lists.checkAndComplete(id);
    }

    /** No answer: a request that completes meanwhile may be cancelled or not. But no request is cancelled twice. */
    @Operation
    public void cancelShared() {
        for (Request request : lists.cancelForKey(SHARED)) {
            equal("cancelled", cancelled.getAndIncrement(request.id), 0);
        }
    }

    /** Afterwards everybody is where it should be. Without AssertJ, which Lincheck cannot look into. */
    @Validate
    public void check() {
        List<Integer> shared = new ArrayList<>();
        int pending = 0;
        for (int id = 0; id < REQUESTS; id++) {
            Request request = requests.get(id);
            boolean isPending = request != null && !request.isCompleted();
            if (isPending) {
                pending++;
                if (cancelled.get(id) == 0) {
                    shared.add(id);
                }
                equal("W1: no trigger is missed", happened.get(id), 0);
            }
            if (request != null) {
                equal("completions", request.completions(), isPending ? 0 : 1);
            }
            equal("W2", asked.under(lists, id), isPending ? List.of(id) : List.of());
        }
        equal("W2, W3", asked.under(lists, SHARED), shared);
        equal("watched", lists.watched(), pending + shared.size());
        equal("W4", lists.listCount(), pending + (shared.isEmpty() ? 0 : 1));
        int empty = lists.groupCount() - pending - shared.size();
        equal("L3", empty <= (shared.isEmpty() ? 0 : 1), true);
    }

    private static void equal(String what, Object is, Object expected) {
        if (!is.equals(expected)) {
            throw new AssertionError(what + " is " + is + ", and not " + expected);
        }
    }
}
