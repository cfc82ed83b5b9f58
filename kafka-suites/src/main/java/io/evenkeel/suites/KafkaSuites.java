/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import io.evenkeel.tiered.kafka.LeftOut;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Utils;

/**
 * The command: runs Kafka's tests twice, on stock and patched classes, and compares the results.
 *
 * <p>System properties: {@code agent.jar}; {@code suites}, the directory of lists; {@code uncopied} and
 * {@code unflushed}, files for {@link SparedTests}; {@code differs}, a file of tests that fail on purpose when patched;
 * {@code dir}, where to work.
 */
public final class KafkaSuites {
    private static final String USAGE = """
            Usage: kafka-suites/run [--patch tier|flush|both] [--ssd DIR] [--turn N] [--leave-out WHAT] NAME...

            Runs tests that Kafka publishes, on stock classes and on patched ones, and compares test by test. Exits
            with 1 if a test passes on stock and fails when patched, if fewer pass than expected, or if the patches did
            no work.

            NAME is a list in kafka-suites/suites, a class, or class#method.
            --patch WHAT      the SSD tier (the default), flushing by rate, or both; flushing by rate is for lists whose
                              tests start no broker
            --ssd DIR         a directory on an SSD, in which the tier creates its own (default: on the disk of the log
                              directories)
            --turn N          0 to 3: with all four, each test meets each of the four kinds of tier (default: 0)
            --leave-out WHAT  link or renames: leaves a step out; the tests must then fail
            """;

    private static final long BYTES_PER_SECOND = 1L << 40;

    private final TestList list;
    private final Path dir;
    private final Path ssd;
    private final int turn;
    private final LeftOut leftOut;
    private final Patches patches;

    private KafkaSuites(TestList list, Path dir, Path ssd, int turn, LeftOut leftOut, Patches patches) {
        this.list = list;
        this.dir = dir;
        this.ssd = ssd;
        this.turn = turn;
        this.leftOut = leftOut;
        this.patches = patches;
    }

    /** Arguments: see {@link #USAGE}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path dir = Files.createDirectories(Path.of(System.getProperty("dir"))).toRealPath();
        Path ssdParent = dir;
        int turn = 0;
        LeftOut leftOut = LeftOut.NOTHING;
        Patches patches = Patches.TIER;
        int next = 0;
        for (; next + 1 < arguments.length && arguments[next].startsWith("--"); next += 2) {
            switch (arguments[next]) {
                case "--ssd" -> ssdParent = Path.of(arguments[next + 1]).toRealPath();
                case "--turn" -> turn = Integer.parseInt(arguments[next + 1]);
                case "--leave-out" -> leftOut = LeftOut.valueOf(arguments[next + 1].toUpperCase(Locale.ROOT));
                case "--patch" -> patches = Patches.valueOf(arguments[next + 1].toUpperCase(Locale.ROOT));
                default -> exitWithUsage();
            }
        }
        List<String> names = List.of(arguments).subList(next, arguments.length);
        if (names.isEmpty() || names.get(0).startsWith("-")) {
            exitWithUsage();
        }
        TestList list = TestList.of(names, Path.of(System.getProperty("suites")));
        refuseFlushWithBrokers(list, patches);
        Path ssd = Files.createTempDirectory(ssdParent, "ssd");
        boolean same;
        try {
            same = new KafkaSuites(list, dir, ssd, turn, leftOut, patches).run();
        } finally {
            Utils.delete(ssd.toFile());
        }
        System.exit(same ? 0 : 1);
    }

    private static void refuseFlushWithBrokers(TestList list, Patches patches) {
        if (patches.hasFlush() && list.startsBrokers()) {
            System.err.println("flushing by rate is for lists whose tests start no broker; some of these do");
            System.exit(2);
        }
    }

    private static void exitWithUsage() {
        System.err.print(USAGE);
        System.exit(2);
    }

    /** Both at a time: most tests wait most of the time. */
    private boolean run() throws IOException, InterruptedException {
        Path done = dir.resolve("done.properties");
        Files.deleteIfExists(done);
        Path tests = Files.write(dir.resolve("tests"), list.tests());
        List<String> patch = List.of(
                "-Djdk.attach.allowAttachSelf=true", // for RemovalAlone
                "-D" + SuiteProcess.DONE + "=" + done,
                "-D" + SuiteProcess.UNCOPIED + "="
                        + Path.of(System.getProperty("uncopied")).toRealPath(),
                "-D" + SuiteProcess.UNFLUSHED + "="
                        + Path.of(System.getProperty("unflushed")).toRealPath(),
                "-Dsuites.turn=" + turn,
                "-D" + LeftOut.PROPERTY + "=" + leftOut.name(),
                "-D" + SuiteProcess.PATCHES + "=" + patches.name(),
                "-javaagent:" + System.getProperty("agent.jar") + "=force=true,config="
                        + Files.writeString(dir.resolve("patches.properties"), config()));
        TestRun stock = TestRun.start(dir.resolve("stock"), List.of(), tests);
        TestRun patched = TestRun.start(dir.resolve("patched"), patch, tests);
        Set<String> differ = TestNames.read(Path.of(System.getProperty("differs")));
        return report(new Comparison(stock.await(), patched.await(), differ), counts(done));
    }

    private String config() throws IOException {
        return (patches.hasTier() ? tierKeys() : "") + (patches.hasFlush() ? FlushByRate.keys() : "");
    }

    private String tierKeys() throws IOException {
        return """
                tiered.ssd.dirs=%s
                tiered.ssd.capacity.bytes=%d
                tiered.ssd.high.watermark.ratio=2e-15
                tiered.ssd.low.watermark.ratio=1e-15
                tiered.ssd.copy.bytes.per.second=%d
                tiered.ssd.copy.min.bytes.per.second=%d
                tiered.ssd.copy.interval.ms=1
                tiered.ssd.cold.read.buffer.bytes=1
                """.formatted(ssd, Files.getFileStore(ssd).getTotalSpace(), BYTES_PER_SECOND, BYTES_PER_SECOND);
    }

    private static Map<String, Long> counts(Path done) throws IOException {
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

    private boolean report(Comparison comparison, Map<String, Long> done) {
        System.out.println("\nThe patches meanwhile:");
        done.forEach((what, count) -> System.out.printf("  %-48s %,15d%n", what, count));
        list("Fail on stock as well", comparison, comparison.failOnBoth());
        list("Fail on stock only", comparison, comparison.failOnStock());
        list("BROKEN: pass on stock, and not when patched", comparison, comparison.broken());
        list("Differ on purpose, see kafka-suites/differs", comparison, comparison.differOnPurpose());
        list("STALE: listed in kafka-suites/differs, and do not differ", comparison, comparison.stale());
        List<String> mustHappen = patches.mustHappen(list);
        boolean idle = mustHappen.stream().anyMatch(what -> done.getOrDefault(what, 0L) == 0);
        boolean few = comparison.passOnBoth() < list.atLeast();
        if (idle) {
            System.out.println("\nNO PROOF: not all of these events happened: " + mustHappen);
        }
        System.out.printf(
                "%n%s%d tests pass on both, of at least %d.%n",
                few ? "TOO FEW: " : "", comparison.passOnBoth(), list.atLeast());
        boolean sound = patches.mustNotHappen().stream().allMatch(what -> done.getOrDefault(what, 0L) == 0);
        if (!sound) {
            System.out.println("UNSOUND: these events happened: " + patches.mustNotHappen() + "; see "
                    + dir.resolve("patched/output.log"));
        }
        boolean same = sound
                && !idle
                && !few
                && comparison.broken().isEmpty()
                && comparison.stale().isEmpty();
        System.out.println(same ? "No test that passes on stock fails when patched." : "FAILED");
        return same;
    }

    private static void list(String title, Comparison comparison, List<String> tests) {
        if (!tests.isEmpty()) {
            System.out.printf("%n%s (%d):%n", title, tests.size());
            tests.forEach(test -> System.out.println("  " + test + "\n      " + comparison.reason(test)));
        }
    }
}
