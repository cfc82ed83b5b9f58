/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The command line tool of the shipped jar, run as operators run it: in a JVM of its own, with the jar among those of
 * the broker, and with the agent that {@code KAFKA_OPTS} brings along.
 */
public record TierTool(Path agent, Path config, Path outputDir) {
    private static final long DEADLINE_SECONDS = 120;

    /** The tool's output and exit code. */
    public record Outcome(int exit, String out, String err) {
        public JsonNode json() throws IOException {
            assertThat(out).as(err).isNotEmpty();
            return new ObjectMapper().readTree(out);
        }
    }

    /** For the disks of a patched broker. */
    public static TierTool of(BrokerConfig config) {
        Path agent = Objects.requireNonNull(config.agentJar());
        return new TierTool(agent, config.nodeDir().resolve("server.properties"), config.nodeDir());
    }

    /** Runs a command to its end. */
    public Outcome run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        try {
            return await(process);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs a command that must end well. */
    public Outcome ok(String... command) throws IOException, InterruptedException {
        Outcome outcome = run(command);
        assertThat(outcome.exit()).as(outcome.toString()).isZero();
        return outcome;
    }

    /** Starts a command; one at a time, because of where its output goes. */
    Process start(String... command) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(1, List.of("--config", config.toString()));
        List<String> jvmFlags = new ArrayList<>(KafkaRuntime.QUICK_START);
        jvmFlags.add("-javaagent:" + agent);
        return new ProcessBuilder(KafkaRuntime.find()
                        .command(List.of(agent), jvmFlags, "io.evenkeel.tiered.tool.TieredSsdTool", arguments))
                .redirectOutput(out().toFile())
                .redirectError(err().toFile())
                .start();
    }

    Outcome await(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
                .as("the tool ends")
                .isTrue();
        return new Outcome(process.exitValue(), Files.readString(out()), Files.readString(err()));
    }

    /** The output of a running command on stderr so far. */
    String errSoFar() throws IOException {
        return Files.readString(err());
    }

    private Path out() {
        return outputDir.resolve("tool.out");
    }

    private Path err() {
        return outputDir.resolve("tool.err");
    }
}
