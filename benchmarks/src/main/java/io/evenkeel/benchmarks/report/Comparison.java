/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.report.Result.MeasuredRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The ratios of an experiment in two runs, for example on two machines. The figures themselves are of their machine and
 * are not compared. Immutable.
 */
record Comparison(String experiment, String title, Spread here, Spread there) {
    /** Only the ratios that both runs have. */
    static List<Comparison> of(Result here, Result there) {
        List<Comparison> all = new ArrayList<>();
        for (MeasuredRatio ratio : here.ratios()) {
            there.ratios().stream()
                    .filter(other -> other.title().equals(ratio.title()))
                    .forEach(other ->
                            all.add(new Comparison(here.experiment(), ratio.title(), ratio.spread(), other.spread())));
        }
        return all;
    }

    /** Of two runs. */
    enum Verdict {
        AGREES,
        DIFFERS,
        /** They differ, and one of them states no spread, because it had one round. */
        UNKNOWN
    }

    /** They agree when the spreads overlap, or the medians differ no more than the rounds of a quiet run may. */
    Verdict verdict() {
        boolean overlap = here.least() <= there.most() && there.least() <= here.most();
        double larger = Math.max(here.median(), there.median());
        if (overlap || larger <= Math.min(here.median(), there.median()) * (1 + Noise.MOST_SPREAD)) {
            return Verdict.AGREES;
        }
        return here.samples() == 1 || there.samples() == 1 ? Verdict.UNKNOWN : Verdict.DIFFERS;
    }

    /** A line for each ratio, and how many agree. */
    static String text(List<Comparison> all) {
        long agree = count(all, Verdict.AGREES);
        return all.stream()
                        .map(ratio -> "%-7s  %-16s %s: %s, there %s%n"
                                .formatted(
                                        ratio.verdict().name().toLowerCase(Locale.ROOT),
                                        ratio.experiment,
                                        ratio.title,
                                        Html.spread(ratio.here),
                                        Html.spread(ratio.there)))
                        .collect(Collectors.joining())
                + "%d of %d ratios agree, %d differ; the others had one round and state no spread%n"
                        .formatted(agree, all.size(), count(all, Verdict.DIFFERS));
    }

    private static long count(List<Comparison> all, Verdict verdict) {
        return all.stream().filter(ratio -> ratio.verdict() == verdict).count();
    }
}
