/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import io.evenkeel.it.TestClasses;
import io.evenkeel.it.tier.model.ModelDriver;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Readiness;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A log under test on directories of its own, in one process after the other. One thread drives it. */
final class ModelProcess implements AutoCloseable {
    private static final long RUN_DEADLINE_SECONDS = 180;
    private static final String LOG4J = """
            status = warn
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %d{HH:mm:ss.SSS} %-5p %m (%c{1})%n%throwable
            rootLogger.level = warn
            rootLogger.appenderRef.out.ref = out
            """;

    private final BrokerConfig config;
    private final long seed;
    private @Nullable Process process;

    /** @param config with the agent or without; two log directories and one SSD directory */
    ModelProcess(BrokerConfig config, long seed) throws IOException {
        this.config = config;
        this.seed = seed;
        Files.createDirectories(config.ssdDirs().get(0));
        for (int i = 0; i < 2; i++) {
            Path logDir = Files.createDirectories(config.logDirs().get(i));
            Files.writeString(logDir.resolve("meta.properties"), """
                    version=1
                    cluster.id=a2Fma2EtcGF0Y2hlcw
                    node.id=1
                    directory.id=AAAAAAAAAAAAAAAAAAAAB%s
                    """.formatted(i == 0 ? "A" : "Q"));
        }
        StringBuilder properties = new StringBuilder();
        config.serverProperties()
                .forEach((key, value) ->
                        properties.append(key).append('=').append(value).append('\n'));
        Files.writeString(file("server.properties"), properties);
        Files.writeString(file("log4j2.properties"), LOG4J);
    }

    BrokerConfig config() {
        return config;
    }

    /**
     * Begins a run.
     *
     * @param end {@code stop} or {@code kill}
     * @param rollsToRepeat the file {@link #rolls} of another process, or null to record the rolls
     */
    void start(int run, int operations, String end, @Nullable Path rollsToRepeat) throws IOException {
        List<String> flags = new ArrayList<>(config.jvmFlags());
        flags.add("-Dlog4j2.configurationFile=" + file("log4j2.properties"));
        if (config.agentJar() != null) {
            flags.add("-javaagent:" + config.agentJar() + "=force=true");
        }
        List<String> arguments = List.of(
                config.nodeDir().toString(),
                String.valueOf(seed),
                String.valueOf(run),
                String.valueOf(operations),
                end,
                rollsToRepeat == null ? "-" : rollsToRepeat.toString());
        process = new ProcessBuilder(KafkaRuntime.find()
                        .command(List.of(TestClasses.dir()), flags, ModelDriver.class.getName(), arguments))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(file("output.txt").toFile()))
                .start();
    }

    /** False if the run failed or took too long; then prints the end of its output. */
    boolean awaitEnd() throws InterruptedException {
        Process running = process;
        boolean ended =
                running != null && running.waitFor(RUN_DEADLINE_SECONDS, TimeUnit.SECONDS) && running.exitValue() == 0;
        if (!ended) {
            System.err.println(config.nodeDir() + "\n" + Readiness.tail(file("output.txt")));
        }
        close();
        return ended;
    }

    List<String> transcript(int run) throws IOException {
        Path file = file("transcript-" + run);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    Path rolls(int run) {
        return file("rolls-" + run);
    }

    /** The tier's actions in the first {@code runs} runs, by kind. */
    Map<String, Long> seen(int runs) throws IOException {
        Map<String, Long> seen = new TreeMap<>();
        for (int run = 1; run <= runs; run++) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file("tier-" + run + ".properties"))) {
                properties.load(reader);
            }
            properties.forEach(
                    (name, value) -> seen.merge(name.toString(), Long.parseLong(value.toString()), Long::sum));
        }
        return seen;
    }

    /** Ends the run. */
    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private Path file(String name) {
        return config.nodeDir().resolve(name);
    }
}
