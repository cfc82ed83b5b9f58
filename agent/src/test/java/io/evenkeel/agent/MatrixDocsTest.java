/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README's table is written from what {@code docker/matrix} records; {@code -Dupdate.docs} rewrites it. */
class MatrixDocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path README = ROOT.resolve("README.md");
    private static final List<String> JDKS = List.of("17", "21", "25");
    private static final String BEGIN = "<!-- Generated from docs/matrix.tsv; -Dupdate.docs rewrites it. -->\n";
    private static final String END = "<!-- End of the generated part. -->\n";

    /** A line of the file: what ran, when, and how it ended. */
    private record Row(
            String kafka,
            String jdk,
            String java,
            String system,
            String controllers,
            String user,
            String root,
            String date,
            String result) {
        static Row parse(String line) {
            String[] words = line.split("\t", -1);
            assertThat(words).as(line).hasSize(9);
            return new Row(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8]);
        }

        String cell() {
            List<String> words = new ArrayList<>();
            words.add(system.equals("busybox") ? "BusyBox" : "Debian");
            if (controllers.equals("separate")) {
                words.add("separate controller");
            }
            if (user.equals("root")) {
                words.add("root");
            }
            if (root.equals("read-only")) {
                words.add("read-only");
            }
            return (result.equals("passed") ? "" : "**failed**: ") + String.join(", ", words);
        }
    }

    @Test
    void theReadmeHasTheTable() throws IOException {
        String table = BEGIN + table(rows()) + END;
        String readme = Files.readString(README);
        if (System.getProperty("update.docs") != null) {
            readme = Pattern.compile(Pattern.quote(BEGIN) + ".*?" + Pattern.quote(END), Pattern.DOTALL)
                    .matcher(readme)
                    .replaceFirst(Matcher.quoteReplacement(table));
            Files.writeString(README, readme);
        }
        assertThat(readme).as("run with -Dupdate.docs to rewrite it").contains(table);
    }

    @Test
    void theScriptRunsEverySupportedKafkaOnEachJdk() throws IOException {
        String script = Files.readString(ROOT.resolve("docker/matrix"));
        List<String> rows = Pattern.compile("^ {4}'(\\S+/\\d+) ", Pattern.MULTILINE)
                .matcher(script)
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(rows)
                .isEqualTo(KafkaJars.supportedVersions().stream()
                        .flatMap(kafka -> JDKS.stream().map(jdk -> kafka + "/" + jdk))
                        .toList());
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/matrix.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(Row::parse)
                .toList();
    }

    private static String table(List<Row> rows) throws IOException {
        StringBuilder table = new StringBuilder("| Apache Kafka |");
        JDKS.forEach(jdk -> table.append(" JDK ").append(jdk).append(" |"));
        table.append("\n| --- |").append(" --- |".repeat(JDKS.size())).append('\n');
        for (String kafka : KafkaJars.supportedVersions()) {
            table.append("| ").append(kafka).append(" |");
            for (String jdk : JDKS) {
                String cells = rows.stream()
                        .filter(row -> row.kafka().equals(kafka) && row.jdk().equals(jdk))
                        .map(Row::cell)
                        .collect(Collectors.joining("; "));
                table.append(' ').append(cells.isEmpty() ? "not run" : cells).append(" |");
            }
            table.append('\n');
        }
        String dates = rows.stream().map(Row::date).distinct().sorted().collect(Collectors.joining(", "));
        List<String> javas = rows.stream().map(Row::java).distinct().sorted().toList();
        return table.append("\nRun on %s, on Java %s.\n".formatted(dates, String.join(", ", javas)))
                .toString();
    }
}
