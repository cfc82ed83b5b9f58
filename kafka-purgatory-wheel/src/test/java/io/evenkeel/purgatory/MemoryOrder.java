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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * What must hold although {@link SpinLock} and {@link Timeout} use release stores, and although what is guarded by a
 * {@link Watched}, or what it waits for, is written by plain ones; {@link MemoryOrderTest} runs it.
 */
public final class MemoryOrder {
    private static final long TICK_NANOS = 1_000_000;

    private MemoryOrder() {}

    private static final class Plain extends Timeout {}

    private static final class Waiting extends Watched {}

    private static WheelTimer timer() {
        return new WheelTimer(1, 2, 1, 0, () -> {});
    }

    /** The lock excludes. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class LockExcludes {
        private final SpinLock lock = new SpinLock();
        private int count;

        @Actor
        public void one(II_Result result) {
            lock.lock();
            result.r1 = ++count;
            lock.unlock();
        }

        @Actor
        public void other(II_Result result) {
            lock.lock();
            result.r2 = ++count;
            lock.unlock();
        }
    }

    /** Who locks sees all that was written under the lock before. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class LockPublishes {
        private final SpinLock lock = new SpinLock();
        private int first;
        private int second;

        @Actor
        public void write() {
            lock.lock();
            first = 1;
            second = 1;
            lock.unlock();
        }

        @Actor
        public void read(II_Result result) {
            lock.lock();
            result.r2 = second;
            result.r1 = first;
            lock.unlock();
        }
    }

    /**
     * C2 and C3: who holds a request is alone, and sees what the one before has written; nobody finishes it under his
     * hands.
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

    /** A condition that is looked at while the request is held, as it is when somebody may have changed it. */
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

    /** C4: whoever cannot enter has what he did before seen by who holds the request, as that one tries again. */
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

    /** C4 where somebody else has asked before: here the one that holds it. */
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

    /** W1: a change that the second try does not see is followed by a look that finds the request. */
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

    /** C1 and C3: one finishes it, and sees all that was written while it was held. */
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

    /** I5 of a timeout that was never added before: nobody who is completed is left waiting. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoCancelOfNewIsLost {
        private final WheelTimer timer = timer();
        private final Timeout timeout = new Plain();
        private volatile boolean completed;

        @Actor
        public void add() {
            timer.add(timeout, 0, 1);
            if (completed) {
                timer.cancel(timeout);
            }
        }

        @Actor
        public void complete() {
            completed = true;
            timer.cancel(timeout);
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = timeout.isPending();
        }
    }

    /** I5 of a timeout that has expired, and is added again. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoCancelOfExpiredIsLost {
        private final WheelTimer timer = timer();
        private final Timeout timeout = new Plain();
        private volatile boolean completed;

        public NoCancelOfExpiredIsLost() {
            timer.add(timeout, 0, 1);
            timer.advance(TICK_NANOS, expired -> {});
        }

        @Actor
        public void addAgain() {
            timer.add(timeout, TICK_NANOS, 1);
            if (completed) {
                timer.cancel(timeout);
            }
        }

        @Actor
        public void complete() {
            completed = true;
            timer.cancel(timeout);
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = timeout.isPending();
        }
    }

    /** I2: either it is cancelled or it is handed out. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class CancelOrExpire {
        private final WheelTimer timer = timer();
        private final Timeout timeout = new Plain();

        public CancelOrExpire() {
            timer.add(timeout, 0, 1);
        }

        @Actor
        public void cancel(II_Result result) {
            result.r1 = timer.cancel(timeout) ? 1 : 0;
        }

        @Actor
        public void expire(II_Result result) {
            timer.advance(TICK_NANOS, expired -> result.r2++);
        }
    }
}
