/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/runbooks.md}: a section for each alert, and a row for each warning and error in the broker's log. */
class RunbooksTest {
    private static final Pattern SOURCE =
            Pattern.compile("\\.\\./(core|agent|kafka-(tiered|flush|purg).*)/src/.*\\.java");
    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern LOGGED =
            Pattern.compile("(?:LOG|log\\(\\))\\s*\\.(?:warn|error)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    /** Shorter ones may be part of any message. */
    private static final int TELLING = 15;

    @Test
    void everyAlertLeadsToItsSection() throws IOException {
        List<String> sections = page().stream()
                .filter(line -> line.startsWith("### "))
                .map(line -> line.substring(4))
                .toList();
        assertThat(Observability.alerts())
                .extracting(alert -> Observability.text(alert, "alert"))
                .containsExactlyInAnyOrderElementsOf(sections);
        assertThat(Observability.alerts())
                .allSatisfy(
                        alert -> assertThat(alert.at("/annotations/runbook_url").asText())
                                .isEqualTo("docs/runbooks.md#"
                                        + Observability.text(alert, "alert").toLowerCase(Locale.ROOT)));
    }

    @Test
    void everyWarningAndErrorHasARow() throws IOException {
        List<String> messages = messages();
        List<String> logged = sources().stream()
                .flatMap(source -> LOGGED.matcher(source).results().map(found -> found.group(1)))
                .toList();
        assertThat(logged)
                .hasSizeGreaterThan(25)
                .allSatisfy(text -> assertThat(messages)
                        .as("messages in docs/runbooks.md")
                        .anyMatch(message -> message.length() >= TELLING && text.contains(message)));
    }

    @Test
    void everyRowHasAMessage() throws IOException {
        List<String> sources = sources();
        assertThat(messages())
                .isNotEmpty()
                .allSatisfy(message -> assertThat(sources).as("sources").anyMatch(source -> source.contains(message)));
    }

    /** What is quoted in the first column of the tables. */
    private static List<String> messages() throws IOException {
        return page().stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split(" \\| ", -1)[0])
                .flatMap(cell -> QUOTED.matcher(cell).results().map(found -> found.group(1)))
                .toList();
    }

    private static List<String> page() throws IOException {
        return Files.readAllLines(Observability.DOCS.resolve("runbooks.md"));
    }

    /** What goes into the agent's jar, with the parts of each text joined. */
    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        for (Path module : modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file : files.filter(file -> isShipped(file)).toList()) {
                    sources.add(JOINT.matcher(Files.readString(file)).replaceAll(""));
                }
            }
        }
        return sources;
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(".."))) {
            return entries.filter(entry -> Files.isDirectory(entry.resolve("src")))
                    .toList();
        }
    }

    private static boolean isShipped(Path file) {
        return SOURCE.matcher(file.toString()).matches() && !file.toString().contains("/src/test/");
    }
}
