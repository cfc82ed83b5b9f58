/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One measurement in a JVM of its own, so that none meets what another has compiled or left in the heap. Stateless. */
final class Fork {
    /** What a JVM says that ends because its heap is full. */
    private static final int OUT_OF_MEMORY = 3;

    private Fork() {}

    /**
     * Runs a main class with a variant's class path and a heap of that size; answers what it measured, or nothing when
     * its heap was too small.
     *
     * @throws IOException when it fails otherwise
     */
    static Optional<Measured> run(Variant variant, String heap, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC", "-XX:+AlwaysPreTouch"));
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Dlog4j2.level=ERROR"));
        command.addAll(List.of("-cp", variant.classPath(), main.getName(), "--design", variant.design()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // Also when this JVM is told to end.
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
            return Optional.of(Measured.parse(lines));
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }
}
