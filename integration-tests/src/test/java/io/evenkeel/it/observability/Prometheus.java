/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkeel.testkit.BrokerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A Prometheus with the files of {@code observability/} that asks one exporter each second. One thread drives it.
 *
 * <p>Closing it ends the process; its directory stays.
 */
final class Prometheus implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;
    private final Process process;

    private Prometheus(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /** Starts it and waits until it answers. */
    static Prometheus start(Path dir, int exporterPort) throws IOException {
        Files.createDirectories(dir);
        Path config = dir.resolve("prometheus.yaml");
        Files.writeString(config, JSON.writeValueAsString(config(exporterPort))); // JSON is YAML
        int port = BrokerConfig.freePort();
        Prometheus prometheus = new Prometheus(port, launch(dir, config, port));
        try {
            await().atMost(START_DEADLINE).ignoreException(IOException.class).until(() -> {
                if (!prometheus.process.isAlive()) {
                    throw new IllegalStateException(Files.readString(dir.resolve("log")));
                }
                return prometheus.get("/-/ready").statusCode() == 200;
            });
        } catch (RuntimeException | Error notReady) {
            prometheus.close();
            throw notReady;
        }
        return prometheus;
    }

    private static Process launch(Path dir, Path config, int port) {
        try {
            return new ProcessBuilder(
                            "prometheus",
                            "--config.file=" + config,
                            "--storage.tsdb.path=" + dir.resolve("data"),
                            "--web.listen-address=127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("install Debian's package prometheus, or let ./verify fetch it", e);
        }
    }

    private static JsonNode config(int exporterPort) throws IOException {
        ObjectNode config = (ObjectNode) Observability.yaml("prometheus.yaml");
        ((ObjectNode) config.get("global")).put("scrape_interval", "1s").put("evaluation_interval", "1s");
        JsonNode rules = config.get("rule_files").get(0);
        config.putArray("rule_files")
                .add(Observability.DIR.resolve(rules.asText()).toString());
        ((ObjectNode) config.at("/scrape_configs/0/static_configs/0"))
                .putArray("targets")
                .add("localhost:" + exporterPort);
        return config;
    }

    /** The values that an expression has now, one for each set of labels. */
    List<Double> values(String expression) throws IOException {
        JsonNode answer = ask("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        return Observability.list(answer.at("/result")).stream()
                .map(sample -> sample.at("/value/1").asText().replace("Inf", "Infinity"))
                .map(Double::valueOf)
                .toList();
    }

    /** The names of all metrics that it has ever got. */
    List<String> names() throws IOException {
        return Observability.list(ask("/api/v1/label/__name__/values")).stream()
                .map(JsonNode::asText)
                .toList();
    }

    private JsonNode ask(String path) throws IOException {
        HttpResponse<String> response = get(path);
        if (response.statusCode() != 200) {
            throw new IllegalArgumentException(path + ": " + response.body());
        }
        return JSON.readTree(response.body()).get("data");
    }

    private HttpResponse<String> get(String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Prometheus answered", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
