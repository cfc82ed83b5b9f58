/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The last minute of snapshots, for rates. Thread safe.
 *
 * <p>A snapshot walks all segments, so one is taken at most once a second, and only when somebody asks: an unwatched tier
 * costs nothing.
 */
public final class TierHistory {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private record Sample(long atNanos, TierSnapshot snapshot) {}

    private final Supplier<TierSnapshot> source;
    private final Deque<Sample> samples = new ArrayDeque<>();

    public TierHistory(Supplier<TierSnapshot> source) {
        this.source = source;
    }

    /** A snapshot that is at most a second old. */
    public synchronized TierSnapshot latest(long nowNanos) {
        Sample last = samples.peekLast();
        if (last == null || nowNanos - last.atNanos() >= FRESH_NANOS) {
            last = new Sample(nowNanos, source.get());
            samples.addLast(last);
            // One sample beyond the window stays: it is the other end when somebody asks once in many minutes.
            while (samples.size() > 2 && nowNanos - second().atNanos() >= WINDOW_NANOS) {
                samples.removeFirst();
            }
        }
        return last.snapshot();
    }

    /** By how much a value has grown a second, over the last minute or since it was asked for before that; 0 at first. */
    public synchronized double perSecond(long nowNanos, ToLongFunction<TierSnapshot> value) {
        TierSnapshot now = latest(nowNanos);
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        long nanos = last.atNanos() - first.atNanos();
        return nanos == 0
                ? 0
                : (value.applyAsLong(now) - value.applyAsLong(first.snapshot())) * NANOS_PER_SECOND / nanos;
    }

    private Sample second() {
        return samples.stream().skip(1).findFirst().orElseThrow();
    }
}
