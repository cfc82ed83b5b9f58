/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The files in {@code observability/}, read as their users read them. Stateless. */
final class Observability {
    static final Path DIR = Path.of("..", "observability").toAbsolutePath().normalize();
    static final Path DOCS = Path.of("..", "docs");

    private static final Pattern BEANS = Pattern.compile("`([^`]+:type=[^`]+)`");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\|.*");
    private static final Pattern METRIC = Pattern.compile("\\b(?:evenkeel|kafka)_\\w+");

    private Observability() {}

    static JsonNode yaml(String name) throws IOException {
        return new YAMLMapper().readTree(DIR.resolve(name).toFile());
    }

    static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(DIR.resolve("grafana-dashboard.json").toFile());
    }

    /** All panels but the rows that group them. */
    static List<JsonNode> panels() throws IOException {
        return list(dashboard().get("panels")).stream()
                .filter(panel -> !text(panel, "type").equals("row"))
                .toList();
    }

    static List<JsonNode> alerts() throws IOException {
        return list(yaml("alerts.yaml").get("groups")).stream()
                .flatMap(group -> list(group.get("rules")).stream())
                .toList();
    }

    static List<ExporterRule> rules() throws IOException {
        return list(yaml("jmx-exporter.yaml").get("rules")).stream()
                .map(rule -> new ExporterRule(text(rule, "pattern"), text(rule, "name")))
                .toList();
    }

    /** Our gauges, as {@code docs/metrics.md} lists them and as the exporter writes what it matches with its rules. */
    static List<String> gauges() throws IOException {
        List<String> gauges = new ArrayList<>();
        String beans = "";
        for (String line : Files.readAllLines(DOCS.resolve("metrics.md"))) {
            Matcher ofBeans = BEANS.matcher(line);
            Matcher row = ROW.matcher(line);
            if (ofBeans.matches()) {
                beans = ofBeans.group(1);
            } else if (row.matches()) {
                String bean = beans.replace("name=…", "name=" + row.group(1)).replace("=…", "=some");
                gauges.add(attribute(bean, "Value"));
            }
        }
        return gauges;
    }

    /** Kafka's own that the exporter is told to read, with each attribute that they may have. */
    static List<String> gaugesOfKafka() throws IOException {
        return list(yaml("jmx-exporter.yaml").get("includeObjectNames")).stream()
                .map(JsonNode::asText)
                .filter(bean -> bean.contains("name="))
                .map(bean -> bean.replace(",*", ",delayedOperation=some"))
                .flatMap(bean -> List.of("Value", "Count", "99thPercentile").stream()
                        .map(attribute -> attribute(bean, attribute)))
                .toList();
    }

    private static String attribute(String bean, String attribute) {
        return bean.replaceFirst(":", "<").replace(",", ", ") + "><>" + attribute;
    }

    /** The names of all metrics that the rules make. */
    static Set<String> exported() throws IOException {
        List<String> all = new ArrayList<>(gauges());
        all.addAll(gaugesOfKafka());
        Set<String> names = new TreeSet<>();
        for (ExporterRule rule : rules()) {
            all.forEach(gauge -> rule.metric(gauge).ifPresent(names::add));
        }
        return names;
    }

    /** The names of the metrics in an expression. */
    static Set<String> metrics(String expression) {
        return METRIC.matcher(expression).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    /** The text of a field; empty when there is none. */
    static String text(JsonNode node, String field) {
        return node.path(field).asText();
    }
}
