/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Guarantees that must hold although {@link SpinLock} and {@link Timeout} use release stores; {@link MemoryOrderTest}
 * runs them.
 */
public final class TimerMemoryOrder {
    private static final long TICK_NANOS = 1_000_000;

    private TimerMemoryOrder() {}

    private static final class Plain extends Timeout {}

    private static WheelTimer timer() {
        return new WheelTimer(1, 2, 1, 0, () -> {});
    }

    /** One thread adds and then reads a flag, another sets the flag and then cancels (I5). */
    private static final class AddMeetsCancel {
        private final WheelTimer timer = timer();
        private final Timeout timeout = new Plain();
        private volatile boolean completed;

        void add(long nowNanos) {
            timer.add(timeout, nowNanos, 1);
            if (completed) {
                timer.cancel(timeout);
            }
        }

        void complete() {
            completed = true;
            timer.cancel(timeout);
        }
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

    /** A thread that locks sees all earlier writes under the lock. */
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

    /** I5 of a timeout that was never added before: a completed request does not stay in the timer. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoCancelOfNewIsLost {
        private final AddMeetsCancel race = new AddMeetsCancel();

        @Actor
        public void add() {
            race.add(0);
        }

        @Actor
        public void complete() {
            race.complete();
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = race.timeout.isPending();
        }
    }

    /** I5 of a timeout that lingers, and is added again. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoCancelOfLingeringIsLost {
        private final AddMeetsCancel race = new AddMeetsCancel();

        public NoCancelOfLingeringIsLost() {
            race.timer.add(race.timeout, 0, 1);
            race.timer.cancel(race.timeout);
        }

        @Actor
        public void addAgain() {
            race.add(0);
        }

        @Actor
        public void complete() {
            race.complete();
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = race.timeout.isPending();
        }
    }

    /** I5 of a timeout that has expired, and is added again. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN)
    @State
    public static class NoCancelOfExpiredIsLost {
        private final AddMeetsCancel race = new AddMeetsCancel();

        public NoCancelOfExpiredIsLost() {
            race.timer.add(race.timeout, 0, 1);
            race.timer.advance(TICK_NANOS, expired -> {});
        }

        @Actor
        public void addAgain() {
            race.add(TICK_NANOS);
        }

        @Actor
        public void complete() {
            race.complete();
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = race.timeout.isPending();
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
