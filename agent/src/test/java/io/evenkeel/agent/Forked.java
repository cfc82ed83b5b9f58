/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a JVM of its own said and how it ended. */
record Forked(int exitCode, String out, String err) {
    static final String AGENT = System.getProperty("agent.jar", "not run by failsafe");

    /** The tests' own Kafka, and their helpers, but none of the classes that the agent brings along. */
    private static final List<String> CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("byte-buddy"))
            .filter(entry -> entry.endsWith("test-classes")
                    || !Path.of(entry).startsWith(Path.of("..").toAbsolutePath().normalize()))
            .toList();

    static Forked run(List<String> jvmOptions, String... mainClassAndArguments)
            throws IOException, InterruptedException {
        return run(jvmOptions, entry -> true, mainClassAndArguments);
    }

    /** @param environment in addition to that of this JVM */
    static Forked run(Map<String, String> environment, List<String> jvmOptions, String... mainClassAndArguments)
            throws IOException, InterruptedException {
        return run(environment, jvmOptions, entry -> true, mainClassAndArguments);
    }

    /** @param onClassPath which jars Kafka may have */
    static Forked run(List<String> jvmOptions, Predicate<String> onClassPath, String... mainClassAndArguments)
            throws IOException, InterruptedException {
        return run(Map.of(), jvmOptions, onClassPath, mainClassAndArguments);
    }

    private static Forked run(
            Map<String, String> environment,
            List<String> jvmOptions,
            Predicate<String> onClassPath,
            String... mainClassAndArguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(CLASS_PATH.stream().filter(onClassPath).collect(Collectors.joining(File.pathSeparator)));
        command.addAll(List.of(mainClassAndArguments));
        Path out = Files.createTempFile("forked", ".out");
        Path err = Files.createTempFile("forked", ".err");
        try {
            ProcessBuilder process =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            process.environment().putAll(environment);
            int exitCode = process.start().waitFor();
            return new Forked(exitCode, Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** The lines that are ours. */
    List<String> said() {
        return (out + err).lines().filter(line -> line.startsWith("evenkeel")).toList();
    }
}
