/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The last minute of snapshots, for rates. Thread safe.
 *
 * <p>A snapshot may walk all segments, so one is taken at most once a second, and only when a client reads a gauge.
 * Gauges that no client reads cost nothing.
 *
 * @param <S> a snapshot
 */
public final class History<S> {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private record Sample<S>(long atNanos, S snapshot) {}

    private final Supplier<S> source;
    private final Deque<Sample<S>> samples = new ArrayDeque<>();

    public History(Supplier<S> source) {
        this.source = source;
    }

    /** A snapshot that is at most a second old. */
    public synchronized S latest(long nowNanos) {
        Sample<S> last = samples.peekLast();
        if (last == null || nowNanos - last.atNanos() >= FRESH_NANOS) {
            last = new Sample<>(nowNanos, source.get());
            samples.addLast(last);
            // One sample beyond the window stays: it is the other end when a client reads once in many minutes.
            while (samples.size() > 2 && nowNanos - second().atNanos() >= WINDOW_NANOS) {
                samples.removeFirst();
            }
        }
        return last.snapshot();
    }

    /** How much a value has grown a second, over the last minute or since the reading before that; 0 at first. */
    public synchronized double perSecond(long nowNanos, ToLongFunction<S> value) {
        S now = latest(nowNanos);
        Sample<S> first = samples.getFirst();
        Sample<S> last = samples.getLast();
        long nanos = last.atNanos() - first.atNanos();
        return nanos == 0
                ? 0
                : (value.applyAsLong(now) - value.applyAsLong(first.snapshot())) * NANOS_PER_SECOND / nanos;
    }

    private Sample<S> second() {
        return samples.stream().skip(1).findFirst().orElseThrow();
    }
}
