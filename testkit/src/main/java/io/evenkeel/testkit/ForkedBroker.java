/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a child JVM of this one, on Kafka's own jars. Dies with this JVM unless that one is killed.
 *
 * <p>Closing it kills the child; the directories stay.
 */
public final class ForkedBroker implements Broker {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final long STOP_DEADLINE_SECONDS = 60;
    private static final String CLUSTER_ID = "a2Fma2EtcGF0Y2hlcw";

    private final KafkaRuntime runtime;
    private final BrokerConfig config;
    private final List<String> within;
    private final Thread killer = new Thread(this::kill, "kill-forked-broker");
    private volatile @Nullable Process process;

    public ForkedBroker(KafkaRuntime runtime, BrokerConfig config) {
        this(runtime, config, List.of());
    }

    /**
     * A broker that another command starts.
     *
     * @param within the command that runs the broker's command line, for example in another network namespace
     */
    public ForkedBroker(KafkaRuntime runtime, BrokerConfig config, List<String> within) {
        this.runtime = runtime;
        this.config = config;
        this.within = List.copyOf(within);
        Runtime.getRuntime().addShutdownHook(killer);
    }

    @Override
    public BrokerConfig config() {
        return config;
    }

    @Override
    public ForkedBroker start() {
        launch();
        return awaitReady();
    }

    /** Waits until the launched broker answers; ends it when it does not. */
    public ForkedBroker awaitReady() {
        try {
            Readiness.await(this, START_DEADLINE);
        } catch (RuntimeException | Error notReady) {
            kill();
            throw notReady;
        }
        return this;
    }

    /** Starts the process without waiting for the broker to answer. */
    public Process launch() {
        if (isAlive()) {
            throw new IllegalStateException("already running, pid " + pid());
        }
        try {
            List<String> archive = ClassArchive.flags(runtime);
            prepare();
            List<String> flags = new ArrayList<>(config.jvmFlags());
            if (config.patchedLibs().isEmpty()) { // an archive is of one class path
                flags.addAll(archive);
            }
            flags.add("-Dlog4j2.configurationFile=" + logConfig());
            if (config.agentJar() != null) {
                flags.add("-javaagent:" + config.agentJar());
            }
            List<String> arguments = List.of(serverProperties().toString());
            List<String> command = new ArrayList<>(within);
            command.addAll(runtime.command(config.patchedLibs(), flags, "kafka.Kafka", arguments));
            Process started = new ProcessBuilder(command)
                    .directory(config.nodeDir().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start();
            process = started;
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        end(Process::destroy);
    }

    @Override
    public void kill() {
        end(Process::destroyForcibly);
    }

    @Override
    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    @Override
    public long pid() {
        return Objects.requireNonNull(process, "never started").pid();
    }

    @Override
    public Path logFile() {
        return config.nodeDir().resolve("broker.log");
    }

    /** Lets the process outlive this JVM. */
    public void letGo() {
        Runtime.getRuntime().removeShutdownHook(killer);
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException goingDown) {
            // then the hook has run or is running
        }
    }

    private void prepare() throws IOException {
        Files.createDirectories(config.nodeDir());
        for (Path dir : Stream.concat(config.logDirs().stream(), config.ssdDirs().stream())
                .filter(dir -> !Files.isDirectory(dir)) // a link to one must not be created again
                .toList()) {
            Files.createDirectories(dir);
        }
        try (InputStream ours = Objects.requireNonNull(ForkedBroker.class.getResourceAsStream("log4j2.properties"))) {
            Files.copy(ours, logConfig(), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(
                serverProperties(),
                config.serverProperties().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                        .collect(Collectors.joining()));
        if (!Files.exists(config.nodeDir().resolve("metadata").resolve("meta.properties"))) {
            format();
        }
    }

    private void format() throws IOException {
        Path output = config.nodeDir().resolve("format.log");
        int exit = runtime.run(
                output,
                List.of("-Dlog4j2.configurationFile=" + logConfig()),
                "kafka.tools.StorageTool",
                List.of(
                        "format",
                        "--cluster-id",
                        CLUSTER_ID,
                        "--config",
                        serverProperties().toString()));
        if (exit != 0) {
            throw new IOException("formatting failed\n" + Files.readString(output, StandardCharsets.UTF_8));
        }
    }

    private void end(Consumer<Process> how) {
        Process current = process;
        if (current == null) {
            return;
        }
        how.accept(current);
        try {
            if (!current.waitFor(STOP_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                current.destroyForcibly().waitFor();
                throw new IllegalStateException("still alive " + STOP_DEADLINE_SECONDS + " s after being told to end\n"
                        + Readiness.tail(logFile()));
            }
        } catch (InterruptedException e) {
            current.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the broker ended", e);
        }
    }

    private Path serverProperties() {
        return config.nodeDir().resolve("server.properties");
    }

    private Path logConfig() {
        return config.nodeDir().resolve("log4j2.properties");
    }
}
