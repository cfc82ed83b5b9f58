/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Guarantees that must hold although plain stores write the state that a {@link Watched} guards, or the condition that
 * it waits for; {@link MemoryOrderTest} runs them.
 */
public final class RequestMemoryOrder {
    private RequestMemoryOrder() {}

    private static final class Waiting extends Watched {}

    /**
     * C2 and C3: the holder of a request is alone and sees the writes of the holder before; no other thread finishes it
     * meanwhile.
     */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1", "0, 1", "1, 0", "0, 0"},
            expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class HoldExcludes {
        private final Waiting request = new Waiting();
        private int count;

        @Actor
        public void one(II_Result result) {
            if (request.enter()) {
                result.r1 = ++count;
                request.exit();
            }
        }

        @Actor
        public void other(II_Result result) {
            if (request.enter()) {
                result.r2 = ++count;
                request.exit();
            }
        }

        @Actor
        public void finish() {
            request.finish();
            count = Integer.MIN_VALUE;
        }
    }

    /** A condition that a thread reads while it holds the request, after another thread may have changed it. */
    abstract static class Triggered {
        final Waiting request = new Waiting();
        int condition;
        int seen;

        void trigger() {
            condition = 1;
            attempt();
        }

        void attempt() {
            boolean asked = true;
            while (asked) {
                boolean entered = request.enterOrAsk();
                if (entered) {
                    seen = condition;
                }
                asked = entered && request.exit();
            }
        }
    }

    /** C4: if a thread cannot enter, the holder tries again and sees all that this thread did before. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoQuestionIsLost extends Triggered {
        @Actor
        public void watch() {
            request.enter();
            seen = condition;
            if (request.exit()) {
                attempt();
            }
        }

        @Actor
        public void change() {
            trigger();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = seen;
        }
    }

    /** C4 where another thread has asked before: here the holder itself. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoSecondQuestionIsLost extends Triggered {
        @Actor
        public void watch() {
            request.enter();
            request.enterOrAsk();
            if (request.exit()) {
                attempt();
            }
        }

        @Actor
        public void change() {
            trigger();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = seen;
        }
    }

    /** W1: a change that the second try does not see is followed by a check that finds the request. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoTriggerIsLost extends Triggered {
        private static final List<String> KEYS = List.of("key");

        private final WatchLists<String, Waiting> lists = new WatchLists<>(waiting -> {
            attempt();
            return false;
        });

        public NoTriggerIsLost() {
            Waiting earlier = new Waiting();
            lists.watch(earlier, KEYS);
            earlier.finish();
            WatchLists.leave(earlier);
        }

        @Actor
        public void watch() {
            request.enter();
            lists.watch(request, KEYS);
            seen = condition;
            if (request.exit()) {
                attempt();
            }
        }

        @Actor
        public void change() {
            condition = 1;
            lists.checkAndComplete("key");
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = seen;
        }
    }

    /** C1 and C3: one thread finishes it, and sees all writes of its holders. */
    @JCStressTest
    @Outcome(
            id = {"0, -1", "-1, 0", "1, -1", "-1, 1"},
            expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class OneFinishes {
        private final Waiting request = new Waiting();
        private int first;
        private int second;

        @Actor
        public void hold() {
            if (request.enter()) {
                first = 1;
                second = 1;
                request.exit();
            }
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = finish();
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = finish();
        }

        private int finish() {
            if (!request.finish()) {
                return -1;
            }
            return second == first ? first : 2;
        }
    }
}
