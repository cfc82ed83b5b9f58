/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Random operations on a timer, from several threads but one after the other, and from what is handed out, against a
 * plain map from timeouts to deadlines.
 *
 * <p>{@code -Dseeds} says how many runs, {@code -Dsimulated.hours} how many hours at least, {@code -Dseed} the first
 * seed; a failure names its seed.
 */
class WheelTimerModelTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final int STEPS = 150;
    private static final long MS = 1_000_000;
    private static final long HOUR_NANOS = 3_600_000 * MS;
    private static final long LEAST_NANOS = Integer.getInteger("simulated.hours", 0) * HOUR_NANOS;
    private static final long LONGEST_DELAY_MS = 1 << 18;

    private final List<ExecutorService> threads = new ArrayList<>();

    @AfterEach
    void stopThreads() {
        threads.forEach(ExecutorService::shutdown);
    }

    @Test
    void timerAgreesWithAMapOfDeadlines() {
        for (int i = 0; i < 4; i++) {
            threads.add(Executors.newSingleThreadExecutor());
        }
        long seed = FIRST_SEED;
        long nanos = 0;
        for (; seed < FIRST_SEED + SEEDS || nanos < LEAST_NANOS; seed++) {
            try {
                nanos += new Run(new Random(seed)).run();
            } catch (Exception | Error failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        double hours = (double) nanos / HOUR_NANOS;
        System.out.printf("simulated wheel %.1f h, seeds %d to %d: WheelTimerModelTest%n", hours, FIRST_SEED, seed - 1);
    }

    private final class Run {
        final Random random;
        final long tickMs;
        final WheelTimer timer;
        final int mostLingering;
        final List<Timeout> timeouts = new CopyOnWriteArrayList<>();

        /** Nanoseconds since the start, as all times of the model. */
        final Map<Timeout, Long> deadlines = new HashMap<>();

        final long startNanos;
        long elapsedNanos;

        /** Until when the reaper would sleep. */
        long wakeAtNanos = Long.MAX_VALUE;

        boolean woken;

        /** Whether a timeout was changed while others were handed out. */
        boolean isChanged;

        boolean isEnding;

        Run(Random random) throws Exception {
            this.random = random;
            this.tickMs = 1L + random.nextInt(3);
            this.startNanos = random.nextBoolean() ? random.nextLong() : Long.MAX_VALUE - random.nextInt(1_000) * MS;
            int wheelSize = 2 << random.nextInt(12);
            int stripes = 1 << random.nextInt(4);
            this.timer = new WheelTimer(tickMs, wheelSize, stripes, startNanos, this::wake);
            this.mostLingering = stripes * (Stripe.MAX_LINGERING - 1);
            int count = 1 + random.nextInt(150);
            for (int i = 0; i < count; i++) {
                int number = i;
                threads.get(i % threads.size())
                        .submit(() -> timeouts.add(new NumberedTimeout(number)))
                        .get();
            }
        }

        /** Returns the virtual time that has passed. */
        long run() throws Exception {
            for (int step = 0; step < STEPS; step++) {
                Runnable operation = random.nextInt(4) == 0 ? this::advance : this::change;
                Future<?> done = threads.get(random.nextInt(threads.size())).submit(operation);
                done.get();
                check();
            }
            isEnding = true;
            elapsedNanos += LONGEST_DELAY_MS * MS;
            advance();
            advance();
            assertThat(deadlines).isEmpty();
            assertThat(timer.size()).isZero();
            return elapsedNanos;
        }

        long delayMs() {
            return random.nextLong(LONGEST_DELAY_MS >> (5 * random.nextInt(4)));
        }

        void wake() {
            woken = true;
            wakeAtNanos = Math.min(wakeAtNanos, elapsedNanos);
        }

        void change() {
            // Advance comes late.
            elapsedNanos += random.nextBoolean() ? random.nextInt(3_000_000) : 0;
            Timeout timeout = timeouts.get(random.nextInt(timeouts.size()));
            if (random.nextInt(3) > 0) {
                add(timeout);
            } else {
                assertThat(timer.cancel(timeout))
                        .as("I2: cancel %s", timeout)
                        .isEqualTo(deadlines.containsKey(timeout));
                deadlines.remove(timeout);
            }
        }

        void add(Timeout timeout) {
            long delayMs = delayMs();
            boolean added = timer.add(timeout, startNanos + elapsedNanos, delayMs);
            assertThat(added).isEqualTo(delayMs > 0);
            if (added) {
                deadlines.put(timeout, elapsedNanos + delayMs * MS);
            } else {
                deadlines.remove(timeout);
            }
        }

        void advance() {
            elapsedNanos += random.nextInt(10) == 0 ? delayMs() * MS : random.nextInt(5_000_000);
            woken = false;
            isChanged = false;
            long leftNanos = timer.advance(startNanos + elapsedNanos, timeout -> {
                Long deadline = deadlines.remove(timeout);
                assertThat(deadline)
                        .as("I2: %s is handed out, so it must be waiting", timeout)
                        .isNotNull();
                assertThat(deadline).as("I1: the deadline of %s", timeout).isLessThanOrEqualTo(elapsedNanos);
                if (!isEnding && random.nextInt(3) == 0) {
                    changeWhatIsNotBeingHandedOut();
                }
            });
            deadlines.forEach((timeout, deadline) -> assertThat(tickOf(deadline))
                    .as("%s should have been handed out", timeout)
                    .isGreaterThan(elapsedNanos));
            if (!isChanged) {
                assertThat(timer.lingering()).as("I7: after advance").isZero();
            }
            assertThat(leftNanos).isPositive();
            if (woken) {
                wakeAtNanos = elapsedNanos;
            } else {
                wakeAtNanos = leftNanos == Long.MAX_VALUE ? Long.MAX_VALUE : elapsedNanos + leftNanos;
            }
        }

        void changeWhatIsNotBeingHandedOut() {
            isChanged = true;
            Timeout timeout = timeouts.get(random.nextInt(timeouts.size()));
            if (timeout.isPending() == deadlines.containsKey(timeout)) {
                if (random.nextBoolean()) {
                    add(timeout);
                } else {
                    assertThat(timer.cancel(timeout)).isEqualTo(deadlines.remove(timeout) != null);
                }
            } else {
                assertThat(timer.cancel(timeout))
                        .as("I2: it is about to be handed out")
                        .isFalse();
            }
        }

        /** When the tick begins in which a deadline has passed. */
        long tickOf(long deadlineNanos) {
            long tickNanos = tickMs * MS;
            return (deadlineNanos + tickNanos - 1) / tickNanos * tickNanos;
        }

        void check() {
            assertThat(timer.size()).as("I4: size").isEqualTo(deadlines.size());
            assertThat(timer.lingering()).as("I7: linger").isLessThanOrEqualTo(mostLingering);
            for (Timeout timeout : timeouts) {
                assertThat(timeout.isPending()).as("%s", timeout).isEqualTo(deadlines.containsKey(timeout));
            }
            for (long deadline : deadlines.values()) {
                assertThat(wakeAtNanos).as("I3: when the reaper wakes").isLessThanOrEqualTo(tickOf(deadline));
            }
        }
    }
}
