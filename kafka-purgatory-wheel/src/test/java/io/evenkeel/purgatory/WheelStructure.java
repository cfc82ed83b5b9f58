/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks whether a timing wheel keeps its invariants, W1 to W4. */
final class WheelStructure {
    private final TimingWheel wheel;
    private final Map<Timeout, Long> held = new HashMap<>();

    private WheelStructure(TimingWheel wheel) {
        this.wheel = wheel;
    }

    /** Fails if an invariant is broken; answers what the wheel holds, and when each is due. */
    static Map<Timeout, Long> check(TimingWheel wheel) {
        WheelStructure structure = new WheelStructure(wheel);
        for (Level level : wheel.levels) {
            structure.check(level);
        }
        return structure.held;
    }

    private void check(Level level) {
        long words = 0;
        for (int bucket = 0; bucket <= level.mask; bucket++) {
            Timeout first = level.firsts[bucket];
            boolean marked = (level.occupied[bucket >> 6] >>> bucket & 1) != 0;
            words |= marked ? 1L << (bucket >> 6) : 0;
            // Most buckets are empty, and an assertion takes its time.
            if (marked || first != null) {
                assertThat(marked).as("W4: the bit of bucket %d", bucket).isEqualTo(first != null);
                checkList(level, bucket, first);
            }
        }
        assertThat(level.occupied[level.summary]).as("W4: the bits of words").isEqualTo(words);
    }

    private void checkList(Level level, int bucket, @Nullable Timeout first) {
        Timeout last = null;
        for (Timeout timeout = first; timeout != null; timeout = timeout.next) {
            if (last != null) {
                assertThat(timeout.prev).as("the link back of %s", timeout).isSameAs(last);
            }
            assertThat(timeout.isPending()).as("%s is pending", timeout).isTrue();
            assertThat(timeout.positionLocked())
                    .as("the position of %s", timeout)
                    .isEqualTo(level.number * (level.mask + 1) + bucket);
            assertThat(held.put(timeout, timeout.tick))
                    .as("%s is held once", timeout)
                    .isNull();
            checkTime(level, bucket, timeout);
            last = timeout;
        }
        if (first != null) {
            assertThat(first.prev).as("the last of bucket %d", bucket).isSameAs(last);
        }
    }

    private void checkTime(Level level, int bucket, Timeout timeout) {
        long tick = timeout.tick;
        long now = wheel.now();
        assertThat(level.bucket(tick)).as("the bucket of tick %d", tick).isEqualTo(bucket);
        long buckets = (tick >> level.shift) - (now >> level.shift);
        assertThat(buckets).as("W2: buckets from %d to %d", now, tick).isBetween(0L, (long) level.mask);
        if (level.start(tick) <= now) {
            assertThat(level.start(tick)).as("W1: its bucket has begun").isEqualTo(now);
            assertThat(wheel.nextTick()).as("W1: it is being emptied").isEqualTo(now);
        }
        assertThat(wheel.nextTick()).as("W3: next").isLessThanOrEqualTo(level.start(tick));
    }
}
