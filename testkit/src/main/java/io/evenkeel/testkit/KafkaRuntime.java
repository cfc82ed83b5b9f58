/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directory with a stock broker's jars, and how to run a main class of theirs. Immutable. */
public record KafkaRuntime(Path libs) {
    /** For a JVM that ends soon. */
    public static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    public KafkaRuntime {
        libs = libs.toAbsolutePath().normalize();
        if (!Files.isDirectory(libs)) {
            throw new IllegalArgumentException("no Kafka jars at " + libs + ": run ./mvnw package, or set kafka.libs");
        }
    }

    /**
     * The directory that the system property {@code kafka.libs} names, or the one that the build of this module fills.
     */
    public static KafkaRuntime find() {
        return new KafkaRuntime(Path.of(System.getProperty("kafka.libs", "testkit/target/kafka/libs")));
    }

    /** The command line of a child JVM; {@code first} goes before Kafka's own jars on the class path. */
    public List<String> command(List<Path> first, List<String> jvmFlags, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(Stream.concat(first.stream().map(Path::toString), Stream.of(libs + File.separator + "*"))
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    /** The command line of one of Kafka's tools, in a JVM that starts quickly. */
    public List<String> toolCommand(List<String> jvmFlags, String mainClass, List<String> arguments)
            throws IOException {
        List<String> flags = new ArrayList<>(QUICK_START);
        flags.addAll(ClassArchive.flags(this));
        flags.addAll(jvmFlags);
        return command(List.of(), flags, mainClass, arguments);
    }

    /** Runs a command line tool to its end, its output appended to {@code output}; answers its exit code. */
    public int run(Path output, List<String> jvmFlags, String mainClass, List<String> arguments) throws IOException {
        Process process = new ProcessBuilder(toolCommand(jvmFlags, mainClass, arguments))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + mainClass, e);
        } finally {
            process.destroyForcibly();
        }
    }
}
