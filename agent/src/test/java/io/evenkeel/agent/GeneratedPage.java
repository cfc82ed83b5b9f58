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

    private GeneratedPage() {}

    /** Fails unless the page is what the definitions say. */
    static void check(String name, String text) throws IOException {
        Path page = DOCS.resolve(name);
        if (System.getProperty("update.docs") != null) {
            Files.writeString(page, text);
        }
        assertThat(page).as("run with -Dupdate.docs to rewrite it").hasContent(text);
    }
}
