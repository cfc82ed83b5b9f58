/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * How long after its arrival a request's condition comes true, in milliseconds: lognormal, by two of its percentiles.
 * Immutable.
 */
record SeedCase(double p50Ms, double p75Ms) {
    /** How many standard deviations the 75th percentile is above the median. */
    private static final double P75_DEVIATIONS = 0.674490;

    /** The proposal's: few or half of all requests time out after 200 ms. */
    static SeedCase named(String name) {
        return switch (name) {
            case "low" -> new SeedCase(20, 60);
            case "high" -> new SeedCase(200, 400);
            default -> throw new IllegalArgumentException("no such case: " + name);
        };
    }

    /** Some of these times, in nanoseconds, always the same ones. */
    long[] samples(int count) {
        double sigma = Math.log(p75Ms / p50Ms) / P75_DEVIATIONS;
        Random random = new Random(count);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            nanos[i] = (long) (TimeUnit.MILLISECONDS.toNanos(1) * p50Ms * Math.exp(sigma * random.nextGaussian()));
        }
        return nanos;
    }
}
