/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kafkapatches.tiered.TieredSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} is written from the definitions; {@code -Dupdate.docs} rewrites it. */
class ConfigurationDocsTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void pageIsWhatTheDefinitionsSay() throws IOException {
        String page = page();
        if (System.getProperty("update.docs") != null) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).as("run with -Dupdate.docs to rewrite it").hasContent(page);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                Generated from the definitions in the code; do not edit. All keys go into the broker's `server.properties`, or
                into the file that the agent argument `config=<file>` names, which wins. They are checked together at the
                start: an unknown key, or a value that is impossible alone or with another, stops the broker with a message
                that names it.

                ## SSD tier
                """);
        for (ConfigDef.ConfigKey key : TieredSsdConfig.definition().configKeys().values()) {
            page.append("\n### `").append(key.name).append("`\n\n");
            page.append(key.documentation).append("\n\n");
            page.append("- type: ")
                    .append(key.type().name().toLowerCase(Locale.ROOT))
                    .append("\n");
            page.append("- default: ").append(defaultOf(key)).append("\n");
        }
        return page.toString();
    }

    private static String defaultOf(ConfigDef.ConfigKey key) {
        String value = String.valueOf(key.defaultValue);
        return value.equals("0") || key.name.equals(TieredSettings.DIRS)
                ? "none; to be set"
                : value.equals("[]") ? "none" : value;
    }
}
