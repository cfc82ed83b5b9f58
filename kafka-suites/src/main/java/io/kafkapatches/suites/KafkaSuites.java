/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.suites;

import io.kafkapatches.suites.Outcome.Status;
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

/**
 * The command: runs tests of Kafka's twice, stock and patched, and compares.
 *
 * <p>System properties: {@code agent.jar}, {@code suites} (the directory of lists), {@code libs}, {@code dir}.
 */
public final class KafkaSuites {
    private static final String USAGE = """
            Usage: kafka-suites/run [--ssd DIR] NAME...

            Runs tests that Kafka publishes, on stock classes and on patched ones, and compares test by test. Exits with 1 when one
            passes on stock and not when patched, when fewer were run than expected, or when the tier had nothing to do.

            NAME is a list in kafka-suites/suites, a class, or class#method.
            --ssd DIR   where the SSD tier has its files; an empty or new directory (default: beside the log directories)
            """;

    private static final List<String> MUST_HAPPEN = List.of("copies to the HDD", "evictions from the SSD");
    private static final long HOURS = 4;
    private static final long BYTES_PER_SECOND = 1L << 40;

    private final Path dir = Path.of(System.getProperty("dir")).toAbsolutePath().normalize();
    private final Path ssd;
    private final Path tests;

    private KafkaSuites(Path ssd, List<String> tests) throws IOException {
        this.ssd = ssd.toAbsolutePath().normalize();
        Files.createDirectories(dir);
        Files.createDirectories(ssd);
        this.tests = Files.write(dir.resolve("tests"), tests);
    }

    /** Arguments: see {@link #USAGE}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(List.of(arguments));
        Path ssd = Path.of(System.getProperty("dir"), "ssd");
        if (names.size() > 1 && names.get(0).equals("--ssd")) {
            ssd = Path.of(names.get(1));
            names = names.subList(2, names.size());
        }
        if (names.isEmpty() || names.get(0).startsWith("-")) {
            System.err.print(USAGE);
            System.exit(2);
        }
        TestList list = TestList.of(names, Path.of(System.getProperty("suites")));
        System.exit(new KafkaSuites(ssd, list.tests()).run(list.atLeast()) ? 0 : 1);
    }

    private boolean run(int atLeast) throws IOException, InterruptedException {
        Map<String, Outcome> stock = run("stock", List.of());
        Path config = Files.writeString(dir.resolve("tier.properties"), """
                tiered.ssd.dirs=%s
                tiered.ssd.capacity.bytes=%d
                tiered.ssd.high.watermark.ratio=2e-15
                tiered.ssd.low.watermark.ratio=1e-15
                tiered.ssd.sync.bytes.per.second=%d
                tiered.ssd.sync.min.bytes.per.second=%d
                tiered.ssd.sync.interval.ms=1
                """.formatted(
                        ssd, Files.getFileStore(ssd).getTotalSpace(), BYTES_PER_SECOND, BYTES_PER_SECOND));
        Path done = dir.resolve("done.properties");
        Files.deleteIfExists(done);
        Map<String, Outcome> patched = run(
                "patched",
                List.of(
                        "-D" + SuiteProcess.DONE + "=" + done,
                        "-javaagent:" + System.getProperty("agent.jar") + "=force=true,config=" + config));
        return report(new Comparison(stock, patched), tierCounts(done), atLeast);
    }

    private Map<String, Outcome> run(String name, List<String> flags) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Path outcomes = dir.resolve(name + ".tsv");
        Path tmp = Files.createDirectories(dir.resolve(name + "-tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-Xmx2g",
                "-Xss4m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + tmp,
                "-cp",
                System.getProperty("java.class.path"),
                SuiteProcess.class.getName(),
                outcomes.toString(),
                tests.toString()));
        Files.deleteIfExists(outcomes);
        Process process = new ProcessBuilder(command)
                .directory(tmp.toFile())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve(name + ".log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        boolean ended = process.waitFor(HOURS, TimeUnit.HOURS) && process.exitValue() == 0;
        Map<String, Outcome> results = Files.exists(outcomes) ? Outcome.read(outcomes) : Map.of();
        System.out.printf(
                "%-8s %5d passed %4d failed %4d skipped %6d s%s%n",
                name,
                Comparison.count(results, Status.PASSED),
                Comparison.count(results, Status.FAILED),
                Comparison.count(results, Status.SKIPPED),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                ended ? "" : "; the JVM did not come to its end, see " + dir.resolve(name + ".log"));
        return results;
    }

    private static Map<String, Long> tierCounts(Path done) throws IOException {
        Properties counts = new Properties();
        if (Files.exists(done)) {
            try (Reader file = Files.newBufferedReader(done)) {
                counts.load(file);
            }
        }
        Map<String, Long> byWhat = new TreeMap<>();
        counts.forEach((what, count) -> byWhat.put(what.toString(), Long.parseLong(count.toString())));
        return byWhat;
    }

    private static boolean report(Comparison comparison, Map<String, Long> tier, int atLeast) {
        System.out.println("\nThe tier meanwhile:");
        tier.forEach((what, count) -> System.out.printf("  %-32s %,15d%n", what, count));
        list("Fail on stock, too", comparison, comparison.failOnBoth());
        list("Fail on stock only", comparison, comparison.failOnStock());
        list("BROKEN: pass on stock, and not when patched", comparison, comparison.broken());
        boolean idle = MUST_HAPPEN.stream().anyMatch(what -> tier.getOrDefault(what, 0L) == 0);
        int run = comparison.stock().size();
        if (idle) {
            System.out.println("\nNO PROOF: the tier neither copied nor evicted, so nothing was compared.");
        }
        if (run < atLeast) {
            System.out.printf("%nTOO FEW: %d tests were run on stock, and %d were expected.%n", run, atLeast);
        }
        boolean same = !idle && run >= atLeast && comparison.broken().isEmpty();
        System.out.println(same ? "\nNo test that passes on stock fails when patched." : "\nFAILED");
        return same;
    }

    private static void list(String title, Comparison comparison, List<String> tests) {
        if (!tests.isEmpty()) {
            System.out.printf("%n%s (%d):%n", title, tests.size());
            tests.forEach(test -> System.out.println("  " + test + "\n      " + comparison.reason(test)));
        }
    }
}
