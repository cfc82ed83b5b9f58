/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A headless chromium with one tab, driven by its own protocol. Fails when there is none; {@code -Dchromium=…} names
 * another program.
 */
final class Chromium implements AutoCloseable {
    private static final int SECONDS = 30;
    private static final String LISTENING = "DevTools listening on ";

    private final ObjectMapper json = new ObjectMapper();
    private final Process process;
    private final WebSocket socket;
    private final String session;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();

    Chromium(Path profile) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        System.getProperty("chromium", "chromium"),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true);
        // So that all its files go with the profile.
        builder.environment().put("TMPDIR", profile.toString());
        process = builder.start();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address()), new Answers())
                .join();
        String target = call(null, "Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asText();
        session = call(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** Chromium says it on its standard error, among other things. */
    private String address() throws IOException {
        BufferedReader said = process.inputReader();
        List<String> lines = new ArrayList<>();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            lines.add(line);
            if (line.startsWith(LISTENING)) {
                Thread drain = new Thread(() -> said.lines().forEach(more -> {}), "chromium-output");
                drain.setDaemon(true);
                drain.start();
                return line.substring(LISTENING.length());
            }
        }
        throw new IOException("chromium did not start: " + String.join("\n", lines));
    }

    void size(int width, int height, boolean phone, String scheme) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Returns when the page is loaded. */
    void open(String url) {
        events.clear();
        call("Page.navigate", Map.of("url", url));
        await("document.readyState === 'complete' && location.href === " + json.valueToTree(url));
    }

    /** Waits until a script says true. */
    void await(String condition) {
        Awaitility.await(condition)
                .pollInSameThread()
                .atMost(Duration.ofSeconds(SECONDS))
                .until(() -> evaluate(condition).asBoolean());
    }

    JsonNode evaluate(String script) {
        JsonNode answer = call("Runtime.evaluate", Map.of("expression", script, "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(script + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    void press(String key, int code) {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            call("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "windowsVirtualKeyCode", code));
        }
    }

    /** Errors, warnings and exceptions since the page was opened. */
    List<String> complaints() {
        return events.stream()
                .filter(event -> List.of("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
                        .contains(event.path("method").asText()))
                .map(JsonNode::toString)
                .toList();
    }

    /** What the page has asked for that is no file. */
    List<String> requestsToOthers() {
        return events.stream()
                .filter(event -> event.path("method").asText().equals("Network.requestWillBeSent"))
                .map(event -> event.path("params").path("request").path("url").asText())
                .filter(url -> !url.startsWith("file:"))
                .toList();
    }

    void screenshot(Path file) throws IOException {
        String data = call("Page.captureScreenshot", Map.of()).path("data").asText();
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(data));
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        return call(session, method, parameters);
    }

    private JsonNode call(@Nullable String session, String method, Map<String, ?> parameters) {
        int id = lastId.incrementAndGet();
        ObjectNode message = json.createObjectNode().put("id", id).put("method", method);
        message.set("params", json.valueToTree(parameters));
        if (session != null) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(message.toString(), true).join();
        JsonNode received = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        if (received.has("error")) {
            throw new AssertionError(method + ": " + received.path("error"));
        }
        return received.path("result");
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Collects the parts of a message, and hands whole ones to whoever waits. */
    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    receive(json.readTree(text.toString()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        private void receive(JsonNode message) {
            CompletableFuture<JsonNode> answer =
                    answers.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            } else {
                events.add(message);
            }
        }
    }
}
