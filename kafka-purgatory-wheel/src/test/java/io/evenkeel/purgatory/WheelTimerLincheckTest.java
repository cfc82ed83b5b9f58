/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I2, I4, I5 and I7 under many interleavings of small scenarios: what threads see of a timer is what they would see if
 * only one worked at a time.
 *
 * <p>{@code -Dlincheck.iterations} and {@code -Dlincheck.invocations} say how many scenarios, and how many
 * interleavings of each.
 */
@Tag("slow")
class WheelTimerLincheckTest {
    private static final long MS = 1_000_000;

    @Test
    void i2i4AddCancelAndAdvanceAreAtomic() {
        options().sequentialSpecification(ModelOfStripe.class).check(SharedStripe.class);
    }

    @Test
    void i7LingeringTimeoutsAreAddedAgain() {
        options().sequentialSpecification(ModelOfStripe.class).check(LingeringStripe.class);
    }

    @Test
    void i5NoCancelIsLost() {
        options().sequentialSpecification(ModelOfCompletion.class).check(Completion.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(Integer.getInteger("lincheck.iterations", 6))
                .invocationsPerIteration(Integer.getInteger("lincheck.invocations", 150))
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(1);
    }

    /** Two timeouts that all threads share. */
    public static class SharedStripe {
        final WheelTimer timer = new WheelTimer(1, 2, 1, 0, () -> {});
        private final NumberedTimeout[] timeouts = {new NumberedTimeout(0), new NumberedTimeout(1)};

        @Operation
        public boolean addZero() {
            return timer.add(timeouts[0], 0, 2);
        }

        @Operation
        public boolean addOne() {
            return timer.add(timeouts[1], 0, 1);
        }

        @Operation
        public boolean cancelZero() {
            return timer.cancel(timeouts[0]);
        }

        @Operation
        public boolean cancelOne() {
            return timer.cancel(timeouts[1]);
        }

        @Operation
        public String advanceToOne() {
            return advance(1);
        }

        @Operation
        public String advanceToTwo() {
            return advance(2);
        }

        @Operation
        public int size() {
            return timer.size();
        }

        private String advance(long tick) {
            SortedSet<Integer> due = new TreeSet<>();
            timer.advance(tick * MS, timeout -> due.add(((NumberedTimeout) timeout).number));
            return due.toString();
        }
    }

    /** As {@link SharedStripe}, but both timeouts linger at the start, and the next cancel unlinks all that do. */
    public static class LingeringStripe extends SharedStripe {
        public LingeringStripe() {
            addZero();
            addOne();
            cancelZero();
            cancelOne();
            while (timer.lingering() < Stripe.MAX_LINGERING - 1) {
                NumberedTimeout other = new NumberedTimeout(2);
                timer.add(other, 0, 2);
                timer.cancel(other);
            }
        }

        @Validate
        public void fewLinger() {
            if (timer.lingering() >= Stripe.MAX_LINGERING) {
                throw new IllegalStateException("I7: " + timer.lingering() + " linger");
            }
        }
    }

    /** What {@link SharedStripe} and {@link LingeringStripe} must look like. */
    public static class ModelOfStripe {
        private final TreeMap<Integer, Long> ticks = new TreeMap<>();
        private long now;

        public boolean addZero() {
            return add(0, 2);
        }

        public boolean addOne() {
            return add(1, 1);
        }

        public boolean cancelZero() {
            return ticks.remove(0) != null;
        }

        public boolean cancelOne() {
            return ticks.remove(1) != null;
        }

        public String advanceToOne() {
            return advance(1);
        }

        public String advanceToTwo() {
            return advance(2);
        }

        public int size() {
            return ticks.size();
        }

        private boolean add(int number, long tick) {
            ticks.remove(number);
            if (tick <= now) {
                return false;
            }
            ticks.put(number, tick);
            return true;
        }

        private String advance(long tick) {
            now = Math.max(now, tick);
            SortedSet<Integer> due = new TreeSet<>();
            ticks.forEach((number, each) -> {
                if (each <= now) {
                    due.add(number);
                }
            });
            ticks.keySet().removeAll(due);
            return due.toString();
        }
    }

    /** A request that is put off by one thread and completed by another. */
    public static class Completion {
        private final WheelTimer timer = new WheelTimer(1, 2, 1, 0, () -> {});
        private final NumberedTimeout timeout = new NumberedTimeout(0);
        private volatile boolean completed;
        private long tick;

        @Operation
        public void complete() {
            completed = true;
            timer.cancel(timeout);
        }

        /** What comes again after it has expired must be found as well. */
        @Operation(nonParallelGroup = "adder")
        public void putOffTwice() {
            for (int i = 0; i < 2; i++) {
                timer.add(timeout, tick * MS, 1);
                tick++;
                if (i == 0) {
                    timer.advance(tick * MS, due -> {});
                }
            }
            if (completed) {
                timer.cancel(timeout);
            }
        }

        @Validate
        public void noCompletedRequestIsLeftWaiting() {
            if (completed && timeout.isPending()) {
                throw new IllegalStateException("I5: it is completed, and still waits");
            }
        }
    }

    /** {@link Completion} answers nothing; what counts is how it ends. */
    public static class ModelOfCompletion {
        public void complete() {}

        public void putOffTwice() {}
    }
}
