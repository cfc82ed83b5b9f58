/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Says when a run was disturbed, or when its rounds disagree. Stateless. */
final class Noise {
    /** A machine that does more than this by itself is not quiet. */
    static final double MOST_BUSY = 0.10;
    /** Of the processors' time that the host gave to others while the experiment ran. */
    static final double MOST_STOLEN = 0.02;
    /** The ratios of the rounds may be that far apart, as a part of their median. */
    static final double MOST_SPREAD = 0.25;

    private static final int USER_TO_STEAL = 8;
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    private Noise() {}

    /** The processors' time by use, in ticks since the machine's start. Immutable. */
    record Ticks(List<Long> uses) {
        static Ticks now() throws IOException {
            return parse(Files.readString(Path.of("/proc/stat")));
        }

        /** Reads the first line of {@code /proc/stat}. */
        static Ticks parse(String stat) {
            String[] words = stat.lines().findFirst().orElseThrow().trim().split("\\s+", -1);
            return new Ticks(Arrays.stream(words)
                    .skip(1)
                    .limit(USER_TO_STEAL)
                    .map(Long::valueOf)
                    .toList());
        }

        double busySince(Ticks before) {
            return 1 - (double) (of(before, IDLE) + of(before, IO_WAIT)) / allSince(before);
        }

        double stolenSince(Ticks before) {
            return (double) of(before, STEAL) / allSince(before);
        }

        private long of(Ticks before, int use) {
            return uses.get(use) - before.uses.get(use);
        }

        private long allSince(Ticks before) {
            long all = 0;
            for (int use = 0; use < uses.size(); use++) {
                all += of(before, use);
            }
            return Math.max(1, all);
        }
    }

    /** Why a run deserves less trust; nothing when it was quiet. */
    static List<String> of(double busyBefore, double stolen, List<Result.MeasuredRatio> ratios) {
        List<String> noise = new ArrayList<>();
        if (busyBefore > MOST_BUSY) {
            noise.add("Before the run, other programs used %.0f %% of the processors.".formatted(100 * busyBefore));
        }
        if (stolen > MOST_STOLEN) {
            noise.add("During the run, the host took away %.0f %% of the processors' time.".formatted(100 * stolen));
        }
        for (Result.MeasuredRatio ratio : ratios) {
            if (ratio.spread().relative() > MOST_SPREAD) {
                noise.add("The rounds disagree by %.0f %% of the median: %s."
                        .formatted(100 * ratio.spread().relative(), ratio.title()));
            }
        }
        return noise;
    }
}
