/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import io.evenkeel.testkit.disk.LoopDisk;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The times for which a disk hangs, one after the other. The same seed gives the same times. Immutable.
 *
 * @param hangs in order
 */
record Stutter(List<Hang> hangs) {
    private static final int SHORTEST_MS = 200;
    private static final int SHORTEST_PAUSE_MS = 500;
    private static final int LONGEST_PAUSE_MS = 2_500;

    /** A pause, and then the time for which the disk does not answer. */
    record Hang(long pauseMs, long hangMs) {}

    /** A number of hangs of 0.2 s to {@code longestMs}; the last one is of {@code longestMs}. */
    static Stutter drawn(long seed, int count, int longestMs) {
        SplittableRandom random = new SplittableRandom(seed);
        Stream<Hang> drawn = Stream.generate(() -> new Hang(
                        random.nextInt(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS), random.nextInt(SHORTEST_MS, longestMs)))
                .limit(count - 1);
        return new Stutter(Stream.concat(drawn, Stream.of(new Hang(SHORTEST_PAUSE_MS, longestMs)))
                .toList());
    }

    /** Lets the disk hang as planned; returns when it answers after the last one. */
    void run(LoopDisk disk) throws Exception {
        for (Hang hang : hangs) {
            TimeUnit.MILLISECONDS.sleep(hang.pauseMs());
            disk.whileFrozen(() -> {
                TimeUnit.MILLISECONDS.sleep(hang.hangMs());
                return null;
            });
        }
    }
}
