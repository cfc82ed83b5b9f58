/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * When a load begins, and the part of it that is measured, by {@link System#nanoTime()}. Immutable.
 *
 * @param startNanos the load begins; a warm-up follows
 * @param fromNanos the first instant that counts
 * @param toNanos the first instant that does not count any more; the load ends
 */
public record Window(long startNanos, long fromNanos, long toNanos) {
    /** A window that starts now. */
    public static Window of(int warmupSeconds, int seconds) {
        long now = System.nanoTime();
        long from = now + TimeUnit.SECONDS.toNanos(warmupSeconds);
        return new Window(now, from, from + TimeUnit.SECONDS.toNanos(seconds));
    }

    /** A window that starts now, counts all, and lasts until the load is stopped. */
    public static Window open() {
        long now = System.nanoTime();
        return new Window(now, now, now + Long.MAX_VALUE / 2);
    }

    public boolean counts(long nanos) {
        return nanos - fromNanos >= 0 && nanos - toNanos < 0;
    }

    public double seconds() {
        return (toNanos - fromNanos) / 1e9;
    }

    /** The measured time in parts of so many seconds; the last one is longer when they do not fill it. */
    public List<Window> parts(int partSeconds) {
        long partNanos = TimeUnit.SECONDS.toNanos(partSeconds);
        int count = (int) Math.max(1, (toNanos - fromNanos) / partNanos);
        return IntStream.range(0, count)
                .mapToObj(part -> new Window(
                        startNanos,
                        fromNanos + part * partNanos,
                        part == count - 1 ? toNanos : fromNanos + (part + 1) * partNanos))
                .toList();
    }

    /** Returns when the warm-up is over. */
    public void awaitFrom() throws InterruptedException {
        sleepUntil(fromNanos);
    }

    /** Returns when half of the measured time is over. */
    public void awaitMiddle() throws InterruptedException {
        sleepUntil(fromNanos + (toNanos - fromNanos) / 2);
    }

    /** Returns when the load ends. */
    public void awaitTo() throws InterruptedException {
        sleepUntil(toNanos);
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }
}
