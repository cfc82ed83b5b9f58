/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** Kafka's clock, which stands still between operations. Not thread safe. */
final class SteppedTime implements Time {
    /** In 2001, so that file times lie in this clock's future and no file is ever expired. */
    static final long EPOCH_MS = 1_000_000_000_000L;

    private long nowMs;

    SteppedTime(long nowMs) {
        this.nowMs = nowMs;
    }

    @Override
    public long milliseconds() {
        return nowMs;
    }

    @Override
    public long nanoseconds() {
        return TimeUnit.MILLISECONDS.toNanos(nowMs);
    }

    @Override
    public void sleep(long ms) {
        nowMs += ms;
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) {
        throw new UnsupportedOperationException("one thread does everything");
    }
}
