/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkeel.it.Repeated;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A program of {@code integration-tests/clients}, whose output the Python one describes, with producers of each kind
 * and groups. One thread drives it; another one reads the output.
 */
final class OtherClient implements AutoCloseable {
    private static final long READY_SECONDS = 120;
    private static final long END_SECONDS = 300;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final ClientErrors errors;
    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<String, SentRecords> sent = new TreeMap<>();
    private final List<Commit> commits = new ArrayList<>();
    private final Repeated reader;

    /** The last offset that a group committed. */
    record Commit(String group, TopicPartition partition, long offset) {}

    OtherClient(String name, List<String> command, ClientErrors errors) throws IOException {
        this.name = name;
        this.errors = errors;
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.reader = new Repeated(name, 0, () -> readLine(lines.readLine()));
    }

    private void readLine(@Nullable String line) throws IOException, InterruptedException {
        if (line == null) { // the exit code is what matters
            TimeUnit.MILLISECONDS.sleep(100);
            return;
        }
        JsonNode said = JSON.readTree(line);
        if (said.has("ready")) {
            ready.countDown();
        } else if (said.has("end")) {
            ended.countDown();
        } else if (said.has("error")) {
            String error = said.get("error").asText();
            errors.add(said.get("client").asText(), error, said.get("count").asLong());
        } else if (said.has("group")) {
            commits.add(new Commit(
                    said.get("group").asText(),
                    partition(said),
                    said.get("offset").asLong()));
        } else {
            addSent(said);
        }
    }

    private void addSent(JsonNode said) {
        TopicPartition of = partition(said);
        SentRecords records = sent.computeIfAbsent(of.topic(), SentRecords::new);
        for (JsonNode range : said.get("acknowledged")) {
            for (long sequence = range.get(0).asLong(); sequence < range.get(1).asLong(); sequence++) {
                records.acknowledge(of.partition(), sequence);
            }
        }
        for (JsonNode range : said.get("aborted")) {
            for (long sequence = range.get(0).asLong(); sequence < range.get(1).asLong(); sequence++) {
                records.abort(of.partition(), sequence);
            }
        }
    }

    private static TopicPartition partition(JsonNode said) {
        return new TopicPartition(
                said.get("topic").asText(), said.get("partition").asInt());
    }

    void awaitUnderWay() throws InterruptedException {
        await(ready, READY_SECONDS, "is not under way");
    }

    /** Tells the program to end, and waits until it has told all that it sent. */
    void end() throws Exception {
        process.getOutputStream().close();
        await(ended, END_SECONDS, "has not ended");
    }

    private void await(CountDownLatch latch, long seconds, String otherwise) throws InterruptedException {
        boolean reached = latch.await(seconds, TimeUnit.SECONDS);
        reader.throwIfFailed();
        if (!reached) {
            throw new IllegalStateException(name + " " + otherwise + " after " + seconds + " s; " + errors);
        }
    }

    /** By topic. */
    Map<String, SentRecords> sent() {
        return sent;
    }

    List<Commit> commits() {
        return commits;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        reader.end();
    }
}
