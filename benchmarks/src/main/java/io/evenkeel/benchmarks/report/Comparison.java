/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.report.Result.MeasuredRatio;
import java.util.ArrayList;
import java.util.List;
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

    /** Whether the spreads overlap, or the medians differ no more than the rounds of a quiet run may. */
    boolean agrees() {
        boolean overlap = here.least() <= there.most() && there.least() <= here.most();
        double larger = Math.max(here.median(), there.median());
        return overlap || larger <= Math.min(here.median(), there.median()) * (1 + Noise.MOST_SPREAD);
    }

    /** A line for each ratio, and how many agree. */
    static String text(List<Comparison> all) {
        long agree = all.stream().filter(Comparison::agrees).count();
        return all.stream()
                        .map(ratio -> "%-7s  %-16s %s: %s, there %s%n"
                                .formatted(
                                        ratio.agrees() ? "agrees" : "differs",
                                        ratio.experiment,
                                        ratio.title,
                                        Html.spread(ratio.here),
                                        Html.spread(ratio.there)))
                        .collect(Collectors.joining())
                + "%d of %d ratios agree%n".formatted(agree, all.size());
    }
}
