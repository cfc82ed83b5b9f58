/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.concurrent.TimeUnit;

/**
 * When load begins, and the part of it that is measured, by {@link System#nanoTime()}. Immutable.
 *
 * @param fromNanos the first instant that counts
 * @param toNanos the first that does not count any more; load ends here
 */
public record Window(long startNanos, long fromNanos, long toNanos) {
    /** A window that starts now. */
    public static Window of(int warmupSeconds, int seconds) {
        long now = System.nanoTime();
        long from = now + TimeUnit.SECONDS.toNanos(warmupSeconds);
        return new Window(now, from, from + TimeUnit.SECONDS.toNanos(seconds));
    }

    public boolean counts(long nanos) {
        return nanos - fromNanos >= 0 && nanos - toNanos < 0;
    }

    public double seconds() {
        return (toNanos - fromNanos) / 1e9;
    }
}
