/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How much CPU time does an idle tier use?
 *
 * <p>A stock and a patched broker with the same segments and no clients idle side by side. The kernel counts how long
 * each of their threads ran, and how often it went to sleep.
 */
public final class Idle {
    private static final Set<String> ARGUMENTS = Set.of("--dir", "--segments", "--rounds", "--seconds", "--settle");
    /** The beginning of the names of the tier's threads; the kernel keeps 15 characters of a name. */
    private static final String TIER_THREADS = "evenkeel-t";

    private static final List<String> JVM = LabBroker.heap("512m");

    private final ManySegments content;
    private final ForkedBroker stock;
    private final ForkedBroker patched;

    /**
     * The work that threads did up to an instant, or between two instants.
     *
     * @param nanos CPU time
     * @param sleeps how often the threads gave up the processor of their own accord
     */
    private record Ran(long nanos, long sleeps) {
        static Ran of(long pid, String threadNames) throws IOException {
            Ran sum = new Ran(0, 0);
            try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
                for (Path thread : threads.toList()) {
                    sum = sum.plus(ofThread(thread, threadNames));
                }
            }
            return sum;
        }

        private static Ran ofThread(Path thread, String names) throws IOException {
            try {
                if (!Files.readString(thread.resolve("comm")).startsWith(names)) {
                    return new Ran(0, 0);
                }
                String nanos = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
                String sleeps = Files.readAllLines(thread.resolve("status")).stream()
                        .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                        .findFirst()
                        .orElseThrow()
                        .replaceAll("\\D", "");
                return new Ran(Long.parseLong(nanos), Long.parseLong(sleeps));
            } catch (NoSuchFileException ended) {
                return new Ran(0, 0);
            }
        }

        Ran plus(Ran other) {
            return new Ran(nanos + other.nanos, sleeps + other.sleeps);
        }

        Ran minus(Ran before) {
            return new Ran(nanos - before.nanos, sleeps - before.sleeps);
        }
    }

    private Idle(Arguments arguments) {
        this.content = ManySegments.ofAbout(arguments.number("--segments", 4000));
        Path dir = arguments.path("--dir");
        this.stock = new ForkedBroker(KafkaRuntime.find(), ManySegments.stock(dir.resolve("stock"), JVM));
        this.patched = new ForkedBroker(KafkaRuntime.find(), ManySegments.patched(dir.resolve("patched"), JVM));
    }

    /** Arguments: see {@code benchmarks/idle --help}. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        Idle idle = new Idle(arguments);
        try {
            idle.prepare(arguments.number("--settle", 60));
            idle.run(arguments.number("--rounds", 5), arguments.number("--seconds", 60));
        } finally {
            idle.stock.close();
            idle.patched.close();
        }
    }

    /** Starts both brokers and gives them time to finish the work that follows a start, compilation included. */
    private void prepare(int settleSeconds) throws Exception {
        content.make(stock.config());
        content.make(patched.config());
        content.tier(patched);
        stock.start();
        patched.start();
        TimeUnit.SECONDS.sleep(settleSeconds);
    }

    private void run(int rounds, int seconds) throws IOException, InterruptedException {
        System.out.printf("%d segments; %d × %d s; values a second:%n%n", content.total(), rounds, seconds);
        System.out.println("| | stock | patched | the tier's threads |\n| --- | --- | --- | --- |");
        List<Double> stocks = new ArrayList<>();
        List<Double> patcheds = new ArrayList<>();
        List<Double> tiers = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Ran stockBefore = Ran.of(stock.pid(), "");
            Ran patchedBefore = Ran.of(patched.pid(), "");
            Ran tierBefore = Ran.of(patched.pid(), TIER_THREADS);
            TimeUnit.SECONDS.sleep(seconds);
            Ran stockRan = Ran.of(stock.pid(), "").minus(stockBefore);
            Ran patchedRan = Ran.of(patched.pid(), "").minus(patchedBefore);
            Ran tierRan = Ran.of(patched.pid(), TIER_THREADS).minus(tierBefore);
            row("CPU, ms", stockRan.nanos(), patchedRan.nanos(), tierRan.nanos(), 1e6 * seconds);
            row("times asleep", stockRan.sleeps(), patchedRan.sleeps(), tierRan.sleeps(), seconds);
            stocks.add(stockRan.nanos() / 1e6 / seconds);
            patcheds.add(patchedRan.nanos() / 1e6 / seconds);
            tiers.add(tierRan.nanos() / 1e6 / seconds);
        }
        System.out.printf(
                "| CPU, ms, median | %.3f | %.3f | %.3f |%n",
                Samples.median(stocks), Samples.median(patcheds), Samples.median(tiers));
    }

    private static void row(String name, long stock, long patched, long tier, double per) {
        System.out.printf("| %s | %.3f | %.3f | %.3f |%n", name, stock / per, patched / per, tier / per);
    }
}
