/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import io.evenkeel.suites.Outcome.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;

/** A JVM that runs tests, in a directory of its own. Not thread safe. */
record TestRun(Path dir, Process process, long startNanos) {
    private static final long HOURS = 4;

    /**
     * @param dir for logs, outcomes and the tests' own files
     * @param flags more flags for the JVM
     * @param tests a file with a line for each class or {@code class#method}
     */
    static TestRun start(Path dir, List<String> flags, Path tests) throws IOException {
        Utils.delete(dir.toFile());
        Path tmp = Files.createDirectories(dir.resolve("tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-ea", // as Kafka runs them
                "-Xmx2g",
                "-XX:MaxDirectMemorySize=4g",
                "-Xss4m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + tmp,
                "-cp",
                System.getProperty("java.class.path"),
                SuiteProcess.class.getName(),
                outcomes(dir).toString(),
                tests.toString()));
        Process process = new ProcessBuilder(command)
                .directory(tmp.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output(dir).toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new TestRun(dir, process, System.nanoTime());
    }

    /** The outcome of each test that ended; a JVM that died counts as a failed test. */
    Map<String, Outcome> await() throws IOException, InterruptedException {
        boolean ended = process.waitFor(HOURS, TimeUnit.HOURS) && process.exitValue() == 0;
        process.destroyForcibly().waitFor();
        Utils.delete(dir.resolve("tmp").toFile());
        Map<String, Outcome> results = Files.exists(outcomes(dir)) ? Outcome.read(outcomes(dir)) : new TreeMap<>();
        if (!ended) {
            results.put("JVM", new Outcome(Status.FAILED, "did not come to its end, see " + output(dir)));
        }
        System.out.printf(
                "%-8s %5d passed %4d failed %4d skipped %6d s%n",
                dir.getFileName(),
                Comparison.count(results, Status.PASSED),
                Comparison.count(results, Status.FAILED),
                Comparison.count(results, Status.SKIPPED),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos));
        return results;
    }

    private static Path outcomes(Path dir) {
        return dir.resolve("outcomes.tsv");
    }

    private static Path output(Path dir) {
        return dir.resolve("output.log");
    }
}
