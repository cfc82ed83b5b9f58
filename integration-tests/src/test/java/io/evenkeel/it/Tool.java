/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One of Kafka's command line tools, run by its main class as the scripts do. Immutable. */
public record Tool(String mainClass, Path dir, List<String> jvmFlags) {
    private static final long DEADLINE_SECONDS = 60;

    public record Outcome(int exit, String out, String err) {
        /** Everything that it printed. */
        public String said() {
            return out + err;
        }
    }

    /** {@code kafka-configs.sh}; its output goes to files in {@code dir}. */
    public static Tool configs(Path dir) {
        return new Tool("kafka.admin.ConfigCommand", dir, List.of());
    }

    public static Tool topics(Path dir) {
        return new Tool("org.apache.kafka.tools.TopicCommand", dir, List.of());
    }

    /** Runs {@code kafka-configs.sh} on a broker's settings, such as {@code --describe --entity-name 1}. */
    public static Outcome brokerConfigs(Path dir, Broker to, String action, String... more)
            throws IOException, InterruptedException {
        Stream<String> first = Stream.of("--bootstrap-server", to.bootstrap(), "--entity-type", "brokers", action);
        return configs(dir).run(Stream.concat(first, Stream.of(more)).toArray(String[]::new));
    }

    /** With the agent that the system property {@code agent.jar} names, as by {@code KAFKA_OPTS}. */
    public Tool patched() {
        return new Tool(mainClass, dir, List.of("-javaagent:" + System.getProperty("agent.jar")));
    }

    public Outcome run(String... arguments) throws IOException, InterruptedException {
        Path out = dir.resolve("out");
        Path err = dir.resolve("err");
        Process process = new ProcessBuilder(KafkaRuntime.find().toolCommand(jvmFlags, mainClass, List.of(arguments)))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
                    .as(mainClass)
                    .isTrue();
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }
}
