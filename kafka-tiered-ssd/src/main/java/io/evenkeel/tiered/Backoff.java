/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * How long to pause after failures in a row. Not thread safe.
 *
 * <p>The longest pause doubles with each failure; the pause is drawn between half of it and all of it, so that what
 * failed together, such as the copies to all HDDs behind one controller, does not come back together.
 */
final class Backoff {
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final RandomGenerator random;
    private long longestNanos;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** Another failure; answers how long to pause. */
    long failed() {
        longestNanos = Math.min(LONGEST_NANOS, Math.max(FIRST_NANOS, 2 * longestNanos));
        long halfNanos = longestNanos / 2;
        return halfNanos + random.nextLong(halfNanos + 1);
    }

    void succeeded() {
        longestNanos = 0;
    }
}
