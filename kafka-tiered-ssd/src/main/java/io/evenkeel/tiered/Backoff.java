/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The pause after failures in a row. Not thread safe.
 *
 * <p>The longest pause doubles with each failure. The pause is drawn between half of it and all of it, so that copiers
 * that failed together, because their HDDs share one controller, do not try again together.
 */
final class Backoff {
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final RandomGenerator random;
    private long longestNanos;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Another failure.
     *
     * @return the time to pause
     */
    long failed() {
        longestNanos = Math.min(LONGEST_NANOS, Math.max(FIRST_NANOS, 2 * longestNanos));
        long halfNanos = longestNanos / 2;
        return halfNanos + random.nextLong(halfNanos + 1);
    }

    void succeeded() {
        longestNanos = 0;
    }
}
