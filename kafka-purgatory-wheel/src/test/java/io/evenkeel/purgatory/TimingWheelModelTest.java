/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random operations on a timing wheel, also from what it hands out, against a priority queue. The structure is checked
 * after each.
 *
 * <p>{@code -Dseeds} says how many runs, {@code -Dseed} the first seed; a failure names its seed.
 */
class TimingWheelModelTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final int STEPS = 200;
    private static final long LAST_TICK = Long.MAX_VALUE - 1;
    private static final int[] SIZES = {2, 4, 8, 64, 128, 1024, 4096};

    @Test
    void wheelAgreesWithAPriorityQueue() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                new Run(new Random(seed)).run();
            } catch (RuntimeException | Error failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    private record Entry(NumberedTimeout timeout, long tick) {}

    private static final class Run {
        final Random random;
        final int wheelSize;
        final TimingWheel wheel;
        final PriorityQueue<Entry> model = new PriorityQueue<>(Comparator.comparingLong(Entry::tick));
        final List<NumberedTimeout> idle = new ArrayList<>();

        Run(Random random) {
            this.random = random;
            this.wheelSize = SIZES[random.nextInt(SIZES.length)];
            this.wheel = new TimingWheel(wheelSize);
            int timeouts = 1 << random.nextInt(8);
            for (int i = 0; i < timeouts; i++) {
                idle.add(new NumberedTimeout(i));
            }
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(3) == 0) {
                    advance(wheel.now() + distance() - random.nextInt(2));
                } else {
                    change();
                }
                check();
            }
            advance(LAST_TICK);
            assertThat(model).isEmpty();
            assertThat(WheelStructure.check(wheel)).isEmpty();
            assertThat(wheel.nextTick()).isEqualTo(Long.MAX_VALUE);
        }

        /** Around the turns of the levels, where mistakes are likely; from 1 on. */
        long distance() {
            long turn = wheelSize;
            for (int i = random.nextInt(4); i > 0 && turn < 1L << 40; i--) {
                turn *= wheelSize;
            }
            return switch (random.nextInt(4)) {
                case 0 -> 1 + random.nextInt(3);
                case 1 -> 1 + random.nextInt(wheelSize);
                case 2 -> Math.max(1, turn - 2 + random.nextInt(5));
                default -> 1 + Math.floorMod(random.nextLong(), 2 * turn);
            };
        }

        void change() {
            int dice = random.nextInt(10);
            if (dice < 5 && !idle.isEmpty()) {
                add(idle.remove(random.nextInt(idle.size())));
            } else if (dice < 7 && !model.isEmpty()) {
                move(anyPending());
            } else if (dice < 9 && !model.isEmpty()) {
                remove(anyPending());
            } else {
                wheel.skipTo(wheel.now() + distance());
            }
        }

        Entry anyPending() {
            return model.stream().skip(random.nextInt(model.size())).findFirst().orElseThrow();
        }

        void add(NumberedTimeout timeout) {
            long tick = wheel.now() + distance();
            wheel.add(timeout, tick);
            model.add(new Entry(timeout, tick));
        }

        void move(Entry entry) {
            long tick = wheel.now() + distance();
            wheel.move(entry.timeout, tick);
            model.remove(entry);
            model.add(new Entry(entry.timeout, tick));
        }

        void remove(Entry entry) {
            wheel.remove(entry.timeout);
            model.remove(entry);
            idle.add(entry.timeout);
            assertThat(entry.timeout.isPending()).isFalse();
        }

        void advance(long tick) {
            Timeout[] portion = new Timeout[1 + random.nextInt(4)];
            do {
                int count = wheel.advance(tick, portion);
                for (int i = 0; i < count; i++) {
                    expire(portion[i], tick);
                }
                check();
                if (count > 0 && tick < LAST_TICK && random.nextBoolean()) {
                    change();
                    check();
                }
            } while (wheel.nextTick() <= tick);
            Entry first = model.peek();
            assertThat(first == null || first.tick > tick)
                    .as("all that was due by %d was handed out, but not %s", tick, first)
                    .isTrue();
            assertThat(wheel.now()).isGreaterThanOrEqualTo(tick);
        }

        void expire(Timeout timeout, long tick) {
            Entry entry = model.stream()
                    .filter(each -> each.timeout == timeout)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(timeout + " was handed out, but is not waiting"));
            assertThat(entry.tick).as("I1: the tick of %s", timeout).isLessThanOrEqualTo(tick);
            assertThat(timeout.isPending()).isFalse();
            model.remove(entry);
            idle.add(entry.timeout);
        }

        void check() {
            var held = WheelStructure.check(wheel);
            assertThat(held).hasSize(model.size());
            for (Entry entry : model) {
                assertThat(held).containsEntry(entry.timeout, entry.tick);
            }
        }
    }
}
