/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.report.Result.Measured;
import io.evenkeel.benchmarks.report.Result.MeasuredRatio;
import io.evenkeel.benchmarks.report.Result.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A page with a result for each experiment, without running one. Stateless. */
final class SamplePage {
    private static final MachineFacts MACHINE = new MachineFacts(
            "A processor with a name that is rather long @ 2.10GHz",
            2,
            24_000,
            "Linux 6.18 amd64",
            "Some vendor 17.0.15",
            List.of("vda, 250 GiB", "vdb, 1000 GiB, says that it rotates"),
            "ext4",
            "v1",
            "0123456789ab+");

    private SamplePage() {}

    static String html() {
        Map<String, Result> results = new LinkedHashMap<>();
        Experiments.ALL.stream()
                .skip(1)
                .forEach(experiment -> results.put(experiment.name(), result(experiment, "", List.of())));
        return Page.of(Experiments.ALL, results);
    }

    /** Each of the experiment's figures is twice the one before. */
    static Result result(Experiment experiment, String failure, List<String> noise) {
        List<Measured> measured = experiment.measured().stream()
                .map(group -> {
                    double[] last = {0.4};
                    return new Measured(
                            group.title(),
                            group.unit(),
                            group.bars().stream()
                                    .map(bar -> value(bar.label(), last[0] *= 2))
                                    .toList());
                })
                .toList();
        List<MeasuredRatio> ratios = experiment.ratios().stream()
                .map(ratio -> new MeasuredRatio(ratio.title(), new Spread(122.4, 85, 169, 3)))
                .toList();
        return new Result(
                experiment.name(),
                "quick",
                "benchmarks/" + String.join(" ", experiment.command(Size.QUICK)),
                "2026-11-28T05:00:00Z",
                2.5,
                MACHINE,
                failure,
                noise,
                measured,
                ratios,
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 300' width='900' height='300'></svg>",
                List.of("| a | wide | table |".repeat(20), "<script>alert('not run')</script>"));
    }

    private static Value value(String label, double median) {
        return new Value(label, new Spread(median, median * 0.9, median * 1.2, 3), List.of(median));
    }
}
