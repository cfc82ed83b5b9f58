/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Decides which segments leave an SSD. Stateless. */
public final class EvictionPolicy {
    /**
     * A segment that may be evicted.
     *
     * @param lastModifiedMs when its last record was appended
     */
    public record Candidate<S>(S segment, long lastModifiedMs, long sizeBytes) {}

    private EvictionPolicy() {}

    /**
     * Picks the segments with the oldest data until no more than {@code lowWatermarkBytes} would be used. Picks none
     * while {@code usedBytes} is at or below {@code startAboveBytes}.
     */
    public static <S> List<S> victims(
            List<Candidate<S>> candidates, long usedBytes, long startAboveBytes, long lowWatermarkBytes) {
        List<S> victims = new ArrayList<>();
        if (usedBytes <= startAboveBytes) {
            return victims;
        }
        List<Candidate<S>> oldestFirst = new ArrayList<>(candidates);
        oldestFirst.sort(Comparator.comparingLong(Candidate::lastModifiedMs));
        long leftBytes = usedBytes;
        for (Candidate<S> candidate : oldestFirst) {
            if (leftBytes <= lowWatermarkBytes) {
                break;
            }
            leftBytes -= candidate.sizeBytes();
            victims.add(candidate.segment());
        }
        return victims;
    }
}
