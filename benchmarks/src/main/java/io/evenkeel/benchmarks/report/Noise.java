/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Says when a run was disturbed, or when its rounds disagree. Stateless. */
final class Noise {
    /** A machine that does more than this by itself is not quiet. */
    static final double MOST_BUSY = 0.10;
    /** Of the processors' time that the host gave to others while the experiment ran. */
    static final double MOST_STOLEN = 0.02;
    /** The ratios of the rounds may be that far apart, as a part of their median. */
    static final double MOST_SPREAD = 0.25;

    private Noise() {}

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
