/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static io.evenkeel.benchmarks.report.Experiment.bar;
import static io.evenkeel.benchmarks.report.Experiment.fullBar;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.benchmarks.report.ReportRun.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figures from what benchmarks print. */
class FiguresTest {
    private static final String PRINTED = """
            Some words | with a bar.

            | | produce p50 / p99, ms | laggards, MB/s |
            | --- | --- | --- |
            | stock with laggards | 4.7 / 1,000.0 | 80 |
            | patched with laggards | 4.6 / 10.0 | – |
            | stock with laggards | 4.9 / 3,000.0 | 60 |
            | patched with laggards | 4.4 / 20.0 | 70 |
            after the table | 1 |

            1,000 requests, heap 200m:

            | requests | stock | ours | ours of stock's |
            | --- | --- | --- | --- |
            | 100 | median 506 (500 to 550) | 199 | 0.25 (0.18 to 0.32) |
            """;

    private static final List<Table> TABLES = Table.parse(PRINTED);

    @Test
    void tablesEndWithTheLastLineThatBeginsWithABar() {
        assertThat(TABLES).hasSize(2);
        assertThat(TABLES.get(0).rows()).hasSize(4);
        assertThat(TABLES.get(0).rows().get(0)).startsWith("stock with laggards", "4.7 / 1,000.0", "80");
        assertThat(Table.parse("no table\n| one line |")).isEmpty();
    }

    @Test
    void eachRowOfARoundIsASample() {
        assertThat(medians(new Reading("^stock", "produce", 1))).containsExactly(1000.0, 3000.0);
        assertThat(medians(new Reading("^patched", "laggards", 0)))
                .as("a dash is no sample")
                .containsExactly(70.0);
        assertThat(medians(new Reading("^patched", "laggards", 1))).isEmpty();
        assertThat(medians(new Reading("^patched", "no such column", 0))).isEmpty();
    }

    @Test
    void aCellMayHaveItsSpread() {
        assertThat(new Reading("^100", "stock", 0).values(TABLES)).containsExactly(new Spread(506, 500, 550, 2));
        assertThat(new Reading("^100", "ours of", 0).values(TABLES)).containsExactly(new Spread(0.25, 0.18, 0.32, 2));
    }

    @Test
    void aTablesCaptionTellsItFromOthersLikeIt() {
        assertThat(medians(new Reading("^100 .*heap 200m", "ours", 0))).containsExactly(199.0);
        assertThat(medians(new Reading("^100 .*heap 1g", "ours", 0))).isEmpty();
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        Experiment experiment = Experiment.named("one", "?")
                .chart("p99", "ms", bar("stock", "^stock", "produce", 1), bar("patched", "^patched", "produce", 1))
                .ratio("stock / patched", new Reading("^stock", "produce", 1), new Reading("^patched", "produce", 1))
                .ratio("printed", new Reading("^100", "ours of", 0), null)
                .build();
        Figures figures = Figures.read(experiment, Size.QUICK, TABLES);
        assertThat(figures.missing()).isEmpty();
        assertThat(figures.measured().get(0).values().get(0).samples()).containsExactly(1000.0, 3000.0);
        assertThat(figures.ratios().get(0).spread()).isEqualTo(new Spread(125, 100, 150, 2));
        assertThat(figures.ratios().get(1).spread().median()).isEqualTo(0.25, within(1e-9));
    }

    @Test
    void aRatioOfMediansIsBetweenTheExtremesThatTheyAllow() {
        assertThat(new Spread(6, 4, 8, 2).over(new Spread(2, 1, 4, 3))).isEqualTo(new Spread(3, 1, 8, 2));
        assertThat(Spread.of(6).over(Spread.of(2))).isEqualTo(Spread.of(3));
    }

    @Test
    void aFigureThatWasNotPrintedIsNamed() {
        Experiment experiment = Experiment.named("one", "?")
                .chart(
                        "p99",
                        "ms",
                        bar("stock", "^stock", "produce", 1),
                        bar("LRU", "^lru", "produce", 1),
                        fullBar("0.8", "^0.8", "produce", 1))
                .build();
        assertThat(Figures.read(experiment, Size.QUICK, TABLES).missing())
                .isEqualTo("The benchmark printed no figure for p99, LRU.");
        assertThat(Figures.read(experiment, Size.FULL, TABLES).missing()).contains("LRU", "0.8");
    }

    private static List<Double> medians(Reading reading) {
        return reading.values(TABLES).stream().map(Spread::median).toList();
    }
}
