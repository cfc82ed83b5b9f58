/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Rate;
import java.util.concurrent.TimeUnit;

/** A load that alternates between a quiet time and a burst. Immutable. */
record BurstyLoad(int quietSeconds, int quietMb, int burstSeconds, int burstMb) implements Rate {
    private static final long MB = 1_000_000;

    int cycleSeconds() {
        return quietSeconds + burstSeconds;
    }

    @Override
    public long bytesPerSecond(long nanos) {
        return isQuiet(nanos) ? quietMb * MB : burstMb * MB;
    }

    /** At an instant, in nanoseconds since the load began. */
    boolean isQuiet(long nanos) {
        return nanos % TimeUnit.SECONDS.toNanos(cycleSeconds()) < TimeUnit.SECONDS.toNanos(quietSeconds);
    }

    double meanMb() {
        return (double) (quietSeconds * quietMb + burstSeconds * burstMb) / cycleSeconds();
    }

    double peakToMean() {
        return burstMb / meanMb();
    }
}
