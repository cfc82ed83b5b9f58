/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether the patches fit this Kafka. It asks the agent, in a JVM that begins as a broker with {@code --version}: the
 * agent checks and weaves as in any broker, and then Kafka prints its version and ends. Stateless.
 */
public final class KafkaFit {
    private static final String SUBJECT = "Kafka";
    private static final String OURS = "evenkeel ";
    private static final String WOVEN = " woven into Kafka ";

    /** The agent itself reads the keys that begin so, before Kafka does. */
    private static final String READ_BY_AGENT = "purgatory.wheel.";

    /** Other agents may stand here, whose ports the running broker has. */
    private static final List<String> JVM_OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private KafkaFit() {}

    /**
     * Asks the agent of this jar.
     *
     * @param values the broker's config
     */
    public static Finding check(Map<String, ?> values) throws IOException, InterruptedException {
        Path jar = ownJar();
        if (!Files.isRegularFile(jar)) {
            return Finding.wrong(SUBJECT, "not checked: the tool does not run from the agent's jar, but from " + jar);
        }
        ProcessBuilder broker = new ProcessBuilder(command(jar, values)).redirectErrorStream(true);
        JVM_OPTIONS.forEach(broker.environment()::remove);
        Process process = broker.start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return finding(process.waitFor(), said);
        } finally {
            process.destroyForcibly();
        }
    }

    static Finding finding(int exitCode, String said) {
        List<String> lines =
                said.lines().dropWhile(line -> !line.startsWith(OURS)).toList();
        if (exitCode == 0 && !lines.isEmpty() && lines.get(0).contains(WOVEN)) {
            return Finding.ok(
                    SUBJECT,
                    withoutVersion(lines.get(0)) + ", on Java "
                            + Runtime.version().feature());
        }
        return Finding.wrong(
                SUBJECT,
                lines.isEmpty()
                        ? "the agent said nothing, and the JVM ended with exit code " + exitCode + ": " + said.strip()
                        : withoutVersion(lines.stream().collect(joining("\n"))));
    }

    /** Without {@code evenkeel 0.1.0: }. */
    private static String withoutVersion(String line) {
        return line.substring(line.indexOf(": ") + 2);
    }

    private static List<String> command(Path jar, Map<String, ?> values) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-javaagent:" + jar,
                "-cp",
                System.getProperty("java.class.path"),
                "kafka.Kafka"));
        values.forEach((key, value) -> {
            if (key.startsWith(READ_BY_AGENT)) {
                command.addAll(List.of("--override", key + "=" + value));
            }
        });
        command.add("--version"); // the agent reads no option behind it
        return command;
    }

    private static Path ownJar() {
        try {
            return Path.of(KafkaFit.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
