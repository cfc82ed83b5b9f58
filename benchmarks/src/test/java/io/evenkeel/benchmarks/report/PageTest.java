/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** The page, its charts and the results that it is made from. */
class PageTest {
    private static final Experiment FIRST = Experiments.ALL.get(0);

    @Test
    void thePageHasAllPartsOfEachExperimentAndNeedsNoOtherFile() {
        String page = SamplePage.html();
        for (Experiment experiment : Experiments.ALL) {
            assertThat(page)
                    .contains(Html.escape(experiment.question()))
                    .contains(Html.escape(experiment.setUp()))
                    .contains(Html.escape(experiment.doesNotShow()));
        }
        assertThat(page)
                .contains("It was not run.", "122 (85.0 to 169)", "0123456789ab+", "<svg")
                .doesNotContain("<script", "<link", "<img", "href='http", "src=");
    }

    @Test
    void aNoisyRunAndAFailedOneSayIt() {
        Result result = SamplePage.result(FIRST, "It broke.", List.of("The host was busy."));
        assertThat(Page.of(List.of(FIRST), Map.of(FIRST.name(), result)))
                .contains("A noisy run.", "The host was busy.", "It broke.");
        assertThat(Page.of(List.of(FIRST), Map.of(FIRST.name(), SamplePage.result(FIRST, "", List.of()))))
                .doesNotContain("A noisy run.", "class='failed'");
    }

    @Test
    void chartsAreWellFormedXml() throws Exception {
        for (Experiment experiment : Experiments.ALL) {
            for (Result.Measured figures :
                    SamplePage.result(experiment, "", List.of()).measured()) {
                String chart = BarChart.of(figures);
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(chart)));
                assertThat(chart).contains(Html.escape(figures.values().get(0).label()));
            }
        }
    }

    @Test
    void aResultIsTheSameAfterItWasWrittenAndRead(@TempDir Path dir) throws Exception {
        Results results = new Results(dir.resolve("new"));
        assertThat(results.read(FIRST.name())).isEmpty();
        Result result = SamplePage.result(FIRST, "", List.of("noise"));
        results.write(result);
        assertThat(results.read(FIRST.name())).contains(result);
    }

    @Test
    void everyExperimentIsCompleteAndHasItsOwnName() {
        HashSet<String> names = new HashSet<>();
        for (Experiment experiment : Experiments.ALL) {
            assertThat(names.add(experiment.name())).isTrue();
            assertThat(experiment.question()).endsWith("?");
            assertThat(experiment.setUp()).endsWith(".");
            assertThat(experiment.doesNotShow()).endsWith(".");
            assertThat(experiment.measured()).isNotEmpty();
            assertThat(Path.of("", experiment.command(Size.SMOKE).get(0))).isRelative();
            assertThat(Path.of("")
                            .toAbsolutePath()
                            .resolve(experiment.command(Size.SMOKE).get(0)))
                    .isExecutable();
        }
        assertThat(Experiments.ALL.stream()
                        .mapToDouble(Experiment::quickMinutes)
                        .sum())
                .isLessThan(40);
    }

    @Test
    void theDocumentationListsEachExperimentWithItsMinutes() throws Exception {
        String docs = Files.readString(Path.of("../docs/benchmarks/README.md"));
        for (Experiment experiment : Experiments.ALL) {
            String minutes = String.valueOf(experiment.quickMinutes()).replaceAll("\\.0$", "");
            assertThat(docs)
                    .contains("| `%s` | %s | %s |".formatted(experiment.name(), experiment.question(), minutes));
        }
    }

    @Test
    void anUnknownNameIsAnError() {
        assertThat(Experiments.named(List.of(FIRST.name()))).containsExactly(FIRST);
        assertThatThrownBy(() -> Experiments.named(List.of("nothing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(FIRST.name());
        assertThatThrownBy(() -> Experiments.named(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
