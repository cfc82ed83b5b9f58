/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Variant;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs one measurement in a JVM of its own, so that it finds neither compiled code nor objects of another one.
 * Stateless.
 */
final class Fork {
    /** The exit code of a JVM whose heap was full. */
    private static final int OUT_OF_MEMORY = 3;

    /** One measurement of a variant. */
    interface Run<T> {
        T of(Variant variant) throws IOException, InterruptedException;
    }

    private Fork() {}

    /** Lets the variants take turns, so that what changes with time meets all; returns the rounds of each, by name. */
    static <T> Map<String, List<T>> inTurn(List<Variant> variants, int rounds, Run<T> run)
            throws IOException, InterruptedException {
        Map<String, List<T>> runs = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Variant variant : variants) {
                runs.computeIfAbsent(variant.name(), any -> new ArrayList<>()).add(run.of(variant));
            }
        }
        return runs;
    }

    /**
     * Runs a main class with a variant's class path and a heap of that size. Returns its measurements, or nothing when
     * its heap was too small.
     *
     * @throws IOException when the JVM fails for another reason
     */
    static Optional<Measured> run(Variant variant, String heap, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        return output(command(variant, heap, main, arguments)).map(Measured::parse);
    }

    /**
     * Runs a command that begins with {@link #java}. Returns the lines that it prints, or nothing when its heap was too
     * small.
     *
     * @throws IOException when the JVM fails for another reason
     */
    static Optional<List<String>> output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // The fork ends with this JVM.
        Thread killer = new Thread(process::destroyForcibly, "kill-fork");
        Runtime.getRuntime().addShutdownHook(killer);
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.lines().toList();
            int exit = process.waitFor();
            if (exit == OUT_OF_MEMORY) {
                return Optional.empty();
            }
            if (exit != 0) {
                throw new IOException(
                        "exit " + exit + " of " + String.join(" ", command) + "\n" + String.join("\n", lines));
            }
            return Optional.of(lines);
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    /** The begin of a command: this JVM's own {@code java}, with a heap of that size. */
    static List<String> java(String heap) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LabBroker.heap(heap));
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Dlog4j2.level=ERROR"));
        return command;
    }

    private static List<String> command(Variant variant, String heap, Class<?> main, List<String> arguments) {
        List<String> command = java(heap);
        command.addAll(List.of("-XX:+AlwaysPreTouch", "-cp", ComparedDesigns.classPath(variant), main.getName()));
        command.addAll(List.of("--design", ComparedDesigns.design(variant)));
        command.addAll(arguments);
        return command;
    }
}
