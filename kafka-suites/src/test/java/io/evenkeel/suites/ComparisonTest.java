/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.suites.Outcome.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tests count as broken, and how the report names them. */
class ComparisonTest {
    private static final Outcome PASSED = new Outcome(Status.PASSED, "");
    private static final Outcome FAILED = new Outcome(Status.FAILED, "expected 1 but was 2");
    private static final Outcome SKIPPED = new Outcome(Status.SKIPPED, "no KDC");

    @TempDir
    Path dir = Path.of("target");

    @Test
    void whatPassesOnStockMustPassWhenPatched() {
        Map<String, Outcome> stock =
                Map.of("a", PASSED, "b", PASSED, "c", PASSED, "d", PASSED, "e", FAILED, "f", FAILED);
        Map<String, Outcome> patched =
                Map.of("a", PASSED, "b", FAILED, "c", SKIPPED, "e", FAILED, "f", PASSED, "g", FAILED);

        Comparison comparison = new Comparison(stock, patched, Set.of());

        assertThat(comparison.broken()).containsExactly("b", "c", "d", "g");
        assertThat(comparison.passOnBoth()).isEqualTo(1);
        assertThat(comparison.failOnBoth()).containsExactly("e");
        assertThat(comparison.failOnStock()).containsExactly("f");
        assertThat(comparison.reason("b")).isEqualTo("expected 1 but was 2");
        assertThat(comparison.reason("d")).isEqualTo("was not run");
    }

    @Test
    void whatDiffersOnPurposeHasToDiffer() {
        Map<String, Outcome> stock = Map.of("a", PASSED, "b", PASSED, "c", PASSED);
        Map<String, Outcome> patched = Map.of("a", FAILED, "b", PASSED, "c", SKIPPED);

        Comparison comparison = new Comparison(stock, patched, Set.of("a", "b", "not run"));

        assertThat(comparison.broken()).containsExactly("c");
        assertThat(comparison.differOnPurpose()).containsExactly("a");
        assertThat(comparison.stale()).containsExactly("b");
    }

    @Test
    void outcomesAreReadAsTheyWereWritten() throws IOException {
        Path file = Files.writeString(
                dir.resolve("outcomes"),
                PASSED.line("a") + FAILED.line("b") + PASSED.line("b")
                        + new Outcome(Status.SKIPPED, "two\nlines").line("c") + "PASSED\tcut off");

        assertThat(Outcome.read(file))
                .isEqualTo(Map.of("a", PASSED, "b", FAILED, "c", new Outcome(Status.SKIPPED, "two lines")));
    }
}
