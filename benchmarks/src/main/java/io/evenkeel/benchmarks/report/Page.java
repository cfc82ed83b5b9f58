/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.report.Result.Measured;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The report as one HTML page that needs no other file and no network. Stateless. */
final class Page {
    private static final String STYLE = """
            :root { color-scheme: light }
            body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 0 auto; padding: 1rem;
              overflow-wrap: anywhere }
            section { border-top: 1px solid #ccc; margin-top: 2rem }
            svg { width: 100%; max-width: 30rem; height: auto; display: block; margin: 1rem 0 }
            .charts { display: grid; gap: 0 2rem;
              grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)) }
            .wide svg { max-width: 100% }
            .ratio { font-size: 1.15rem; margin: .3rem 0 } .ratio b { color: #0a6b4f }
            .noisy, .failed { border-left: .3rem solid #c60; background: #fff4e5; padding: .5rem .8rem;
              margin: .5rem 0 }
            .failed { border-color: #b00020; background: #fdecea }
            pre { overflow-x: auto; font-size: .8rem; background: #f5f5f5; padding: .5rem; overflow-wrap: normal }
            nav ul { columns: 14rem; padding-left: 1.2rem }
            h2 small { color: #666; font-weight: normal }
            """;

    private Page() {}

    /** @param results by the experiment's name; an experiment without one is listed as not run */
    static String of(List<Experiment> experiments, Map<String, Result> results) {
        Set<String> machines = new TreeSet<>();
        results.values().forEach(result -> machines.add(result.machine().describe()));
        String contents = contents(experiments, results);
        return """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Evenkeel: the benchmarks' report</title>
                <style>%s</style></head>
                <body><h1>Evenkeel: the benchmarks' report</h1>
                <p>Each experiment asks a question and answers it on one machine, with a stock and a patched Apache
                Kafka broker in turn. A bar is the median of the rounds; the line across its end reaches from the least
                to the most. The ratios say more about other machines than the figures do.</p>
                %s
                <nav><ul>%s</ul></nav>
                %s</body></html>
                """.formatted(STYLE, machines(machines), contents, sections(experiments, results));
    }

    private static String machines(Set<String> machines) {
        return machines.stream()
                .map(machine -> "<p><b>Measured on:</b> " + Html.escape(machine) + "</p>")
                .collect(Collectors.joining("\n"));
    }

    private static String contents(List<Experiment> experiments, Map<String, Result> results) {
        return experiments.stream()
                .map(experiment -> "<li><a href='#%1$s'>%1$s</a>%2$s</li>"
                        .formatted(experiment.name(), results.containsKey(experiment.name()) ? "" : " (not run)"))
                .collect(Collectors.joining("\n"));
    }

    private static String sections(List<Experiment> experiments, Map<String, Result> results) {
        return experiments.stream()
                .map(experiment -> section(experiment, results))
                .collect(Collectors.joining("\n"));
    }

    private static String section(Experiment experiment, Map<String, Result> results) {
        Result result = results.get(experiment.name());
        return """
                <section id="%s"><h2>%s <small>%s</small></h2>
                <p><b>Set-up.</b> %s</p>
                %s
                <p><b>What it does not show.</b> %s</p></section>
                """.formatted(
                        experiment.name(),
                        Html.escape(experiment.question()),
                        experiment.name(),
                        Html.escape(experiment.setUp()),
                        result == null ? "<p>It was not run.</p>" : measured(result),
                        Html.escape(experiment.doesNotShow()));
    }

    private static String measured(Result result) {
        String failed =
                result.failure().isEmpty() ? "" : "<p class='failed'>%s</p>".formatted(Html.escape(result.failure()));
        return """
                %s%s%s
                <div class="charts">%s</div>
                <div class="wide">%s</div>
                <details><summary>%s, %s, %.1f minutes: the command and what it printed</summary>
                <pre>%s

                %s</pre></details>
                """.formatted(
                        failed,
                        noise(result),
                        ratios(result),
                        charts(result),
                        result.picture(),
                        Html.escape(result.size()),
                        Html.escape(result.began()),
                        result.minutes(),
                        Html.escape(result.command()),
                        Html.escape(String.join("\n", result.output())));
    }

    private static String noise(Result result) {
        return result.noise().isEmpty()
                ? ""
                : "<p class='noisy'><b>A noisy run.</b> %s</p>"
                        .formatted(Html.escape(String.join(" ", result.noise())));
    }

    private static String ratios(Result result) {
        return result.ratios().stream()
                .map(ratio -> "<p class='ratio'>%s: <b>%s</b></p>"
                        .formatted(Html.escape(ratio.title()), Html.spread(ratio.spread())))
                .collect(Collectors.joining("\n"));
    }

    private static String charts(Result result) {
        return result.measured().stream()
                .filter((Measured figures) -> !figures.values().isEmpty())
                .map(BarChart::of)
                .collect(Collectors.joining("\n"));
    }
}
