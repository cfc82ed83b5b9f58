/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The distribution of the time from a request's arrival until its condition holds: lognormal, given by two percentiles
 * in milliseconds. Immutable.
 */
record SeedCase(double p50Ms, double p75Ms) {
    /** The distance from the median to the 75th percentile of a normal distribution, in standard deviations. */
    private static final double P75_DEVIATIONS = 0.674490;

    /** The proposal's cases: few or half of all requests time out after 200 ms. */
    static SeedCase named(String name) {
        return switch (name) {
            case "low" -> new SeedCase(20, 60);
            case "high" -> new SeedCase(200, 400);
            default -> throw new IllegalArgumentException("no such case: " + name);
        };
    }

    /** Times of that distribution, in nanoseconds; always the same ones. */
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
