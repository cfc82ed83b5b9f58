/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page in {@code docs/} that is written from definitions in the code; {@code -Dupdate.docs} rewrites it. Stateless.
 */
final class GeneratedPage {
    private static final Path DOCS = Path.of("..", "docs");
    private static final int COLUMNS = 120;

    private GeneratedPage() {}

    /** A paragraph in lines that are not too long. */
    static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > COLUMNS) {
                lines.append('\n');
                column = 0;
            } else if (column > 0) {
                lines.append(' ');
                column++;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.toString();
    }

    /** Fails unless the page is what the definitions say. */
    static void check(String name, String text) throws IOException {
        Path page = DOCS.resolve(name);
        if (System.getProperty("update.docs") != null) {
            Files.writeString(page, text);
        }
        assertThat(page).as("run with -Dupdate.docs to rewrite it").hasContent(text);
    }
}
