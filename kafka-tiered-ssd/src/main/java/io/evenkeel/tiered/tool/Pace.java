/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.core.RateLimiter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Limits a long command to its rate, and prints the progress from time to time. Not thread safe. */
final class Pace {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SAY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RateLimiter limiter;
    private final Output output;
    private final Supplier<String> progress;
    private long saidNanos = System.nanoTime();

    Pace(long bytesPerSecond, Output output, Supplier<String> progress) {
        this.limiter = new RateLimiter(bytesPerSecond, BURST_NANOS);
        this.output = output;
        this.progress = progress;
    }

    /** Waits until the rate allows this number of bytes. */
    void moved(long bytes) {
        long nowNanos = System.nanoTime();
        if (nowNanos - saidNanos > SAY_EVERY_NANOS) {
            saidNanos = nowNanos;
            output.progress(progress.get());
        }
        try {
            TimeUnit.NANOSECONDS.sleep(limiter.reserve(bytes, nowNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the command ends before it reads the next file
        }
    }
}
