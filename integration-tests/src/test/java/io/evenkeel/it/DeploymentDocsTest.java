/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples in {@code docs/deployment.md}: their YAML can be read, and our keys in them exist. */
class DeploymentDocsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern VARIABLE = Pattern.compile("KAFKA_(TIERED_[A-Z_]+)");
    private static final Pattern KEY = Pattern.compile("\\btiered\\.ssd\\.[a-z.]*[a-z]");

    private final YAMLMapper strict = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    @Test
    void yamlCanBeRead() throws IOException {
        List<String> blocks = YAML.matcher(page("deployment.md"))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(3);
        for (String block : blocks) {
            try (YAMLParser parser = strict.getFactory().createParser(block);
                    MappingIterator<JsonNode> parts = strict.readValues(parser, JsonNode.class)) {
                assertThat(parts.readAll()).as(block).isNotEmpty().allMatch(JsonNode::isContainerNode);
            }
        }
    }

    @Test
    void ourKeysExist() throws IOException {
        String deployment = page("deployment.md");
        List<String> variables = VARIABLE.matcher(deployment)
                .results()
                .map(variable -> variable.group(1).toLowerCase(Locale.ROOT).replace('_', '.'))
                .toList();
        List<String> keys =
                KEY.matcher(deployment).results().map(key -> key.group()).toList();
        assertThat(variables).isNotEmpty();
        assertThat(keys).isNotEmpty();
        String configuration = page("configuration.md");
        assertThat(variables).allMatch(key -> configuration.contains("### `" + key + "`\n"));
        assertThat(keys).allMatch(key -> configuration.contains("### `" + key + "`\n"));
    }

    private static String page(String name) throws IOException {
        return Files.readString(DOCS.resolve(name));
    }
}
