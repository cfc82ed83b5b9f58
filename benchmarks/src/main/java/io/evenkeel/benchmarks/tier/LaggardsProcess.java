/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.ControlGroups;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * {@link Laggards} in a child JVM. Real laggards have machines of their own, so it has a control group of its own, if
 * there are any. It compiles little, because real laggards did not start a moment ago. Used by one thread.
 */
final class LaggardsProcess implements AutoCloseable {
    private static final long END_SECONDS = 10;

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    LaggardsProcess(Properties client, LagTopics topics, int laggards, LaggingOptions options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx4g",
                "-XX:+UseG1GC",
                "-cp",
                System.getProperty("java.class.path"),
                Laggards.class.getName(),
                "--partitions",
                String.valueOf(topics.events().partitions()),
                "--records",
                String.valueOf(topics.oldest()),
                "--consumers",
                String.valueOf(laggards),
                "--same-data",
                String.valueOf(options.sameData()),
                "--bytes-per-second",
                String.valueOf(options.laggardsMbPerSecond() * 1_000_000L),
                "--topics"));
        if (!options.tls()) { // only the second compiler makes fast code of TLS
            command.add(1, "-XX:TieredStopAtLevel=1");
        }
        topics.lagging().forEach(topic -> command.add(topic.name()));
        command.add("--client");
        client.forEach((key, value) -> command.add(key + "=" + value));
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ControlGroups.enter(options.laggardsCgroups(), process);
        this.questions = process.outputWriter();
        this.answers = process.inputReader();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** The bytes that the consumers have received since their start. */
    long receivedBytes() throws IOException {
        questions.newLine();
        questions.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the lagging consumers have ended");
        }
        return Long.parseLong(answer);
    }

    @Override
    public void close() throws IOException {
        try (questions;
                answers) {
            process.destroy();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
