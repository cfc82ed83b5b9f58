/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Decides which segments leave an SSD. Stateless. */
public final class EvictionPolicy {
    /** The clocks of brokers and file servers agree better than that. */
    private static final long FUTURE_MS = TimeUnit.HOURS.toMillis(1);

    private static final long QUIET_MS = TimeUnit.MINUTES.toMillis(1);

    /**
     * A segment that may be evicted.
     *
     * @param lastModifiedMs when its last record was appended
     */
    public record Candidate<S>(S segment, long lastModifiedMs, long sizeBytes) {}

    private EvictionPolicy() {}

    /**
     * Picks the segments that were appended to longest ago, until they hold {@code bytes}. A time in the future was
     * written with a wrong clock, so it says nothing, and counts as the oldest.
     */
    public static <S> List<S> victims(List<Candidate<S>> candidates, long bytes, long nowMs) {
        List<S> victims = new ArrayList<>();
        List<Candidate<S>> oldestFirst = new ArrayList<>(candidates);
        oldestFirst.sort(Comparator.comparingLong(candidate -> knownMs(candidate, nowMs)));
        long leftBytes = bytes;
        for (Candidate<S> candidate : oldestFirst) {
            if (leftBytes <= 0) {
                break;
            }
            leftBytes -= candidate.sizeBytes();
            victims.add(candidate.segment());
        }
        return victims;
    }

    /** Whether nobody has appended to an active segment for so long that it may leave. */
    public static boolean isQuiet(long lastAppendMs, long nowMs) {
        return Math.abs(nowMs - lastAppendMs) >= QUIET_MS;
    }

    private static long knownMs(Candidate<?> candidate, long nowMs) {
        return candidate.lastModifiedMs() > nowMs + FUTURE_MS ? Long.MIN_VALUE : candidate.lastModifiedMs();
    }
}
