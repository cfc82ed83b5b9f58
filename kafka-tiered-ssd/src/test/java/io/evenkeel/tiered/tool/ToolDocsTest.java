/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/tool.md} has the help text of each command; {@code -Dupdate.docs} rewrites the help texts only. */
class ToolDocsTest {
    private static final Path PAGE = Path.of("..", "docs", "tool.md");

    @ParameterizedTest
    @ValueSource(strings = {"preflight", "status", "explain", "verify", "evictions", "drain", "size"})
    void pageHasTheHelpText(String command) throws IOException {
        Pattern block = Pattern.compile("```\nusage: tiered-ssd " + command + " .*?```\n", Pattern.DOTALL);
        String help = "```\n" + help(command) + "```\n";
        String page = Files.readString(PAGE);
        if (System.getProperty("update.docs") != null) {
            page = block.matcher(page).replaceFirst(Matcher.quoteReplacement(help));
            Files.writeString(PAGE, page);
        }
        assertThat(page).as("run with -Dupdate.docs to rewrite it").contains(help);
    }

    /** The parser prints the help to System.out. */
    private static String help(String command) {
        ByteArrayOutputStream help = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(help, true, StandardCharsets.UTF_8));
        try {
            assertThat(Said.by(command, "--help").exitCode()).isZero();
        } finally {
            System.setOut(before);
        }
        return help.toString(StandardCharsets.UTF_8).replaceAll("(?m) +$", "").stripTrailing() + "\n";
    }
}
