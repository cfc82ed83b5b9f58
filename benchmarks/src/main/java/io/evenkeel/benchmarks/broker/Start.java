/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.StartTime;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does the agent slow down the start of a broker with many segments?
 *
 * <p>A stock and a patched broker are started in turn on the same directories, which the broker before has shut down
 * cleanly. The benchmark measures the time from the start of the process until the broker logs that it has started. The
 * ratio is the median of the ratios of all rounds. The first two starts warm the page cache and do not count.
 */
public final class Start {
    private static final Set<String> ARGUMENTS = Set.of("--dir", "--segments", "--rounds", "--preload", "--jvm");
    private static final int OTHER_FILES = 1000;
    private static final List<String> JVM = LabBroker.heap("1g");

    private final ManySegments content;
    private final ForkedBroker stock;
    private final ForkedBroker patched;
    /** A library that lets the brokers open more segments than a process may have files. */
    private final @Nullable Path preload;

    private Start(Arguments arguments) {
        this.content = ManySegments.ofAbout(arguments.number("--segments", 100_000));
        this.preload = arguments.has("--preload") ? arguments.path("--preload") : null;
        List<String> flags = new ArrayList<>(JVM);
        flags.addAll(arguments.all("--jvm"));
        List<String> within = preload == null ? List.of() : List.of("env", "LD_PRELOAD=" + preload);
        BrokerConfig config = ManySegments.patched(arguments.path("--dir"), flags);
        this.stock = new ForkedBroker(KafkaRuntime.find(), config.stock(), within);
        this.patched = new ForkedBroker(KafkaRuntime.find(), config, within);
    }

    /** Arguments: see {@code benchmarks/start --help}. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        Start start = new Start(arguments);
        try {
            start.prepare();
            start.run(arguments.number("--rounds", 7));
        } finally {
            start.stock.close();
            start.patched.close();
        }
    }

    private void prepare() throws Exception {
        if (preload == null) {
            requireOpenFiles();
        }
        content.make(patched.config());
        content.tier(patched);
        seconds(stock);
        seconds(patched);
    }

    /** A broker keeps every segment open. */
    private void requireOpenFiles() throws IOException {
        String limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split(" {2,}", -1)[2])
                .findFirst()
                .orElse("unlimited");
        if (!limit.equals("unlimited") && Long.parseLong(limit) < content.total() + OTHER_FILES) {
            throw new IllegalStateException("the limit of " + limit + " open files is too low for " + content.total()
                    + " segments: raise ulimit -n, choose fewer --segments, or try --beyond-the-limit");
        }
    }

    private void run(int rounds) throws IOException, InterruptedException {
        System.out.printf("%d segments in %d partitions:%n%n", content.total(), content.partitions());
        System.out.println("| stock, s | patched, s | patched / stock |\n| --- | --- | --- |");
        List<Double> stocks = new ArrayList<>();
        List<Double> patcheds = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            boolean stockFirst = round % 2 == 0;
            double first = seconds(stockFirst ? stock : patched);
            double second = seconds(stockFirst ? patched : stock);
            stocks.add(stockFirst ? first : second);
            patcheds.add(stockFirst ? second : first);
            System.out.printf(
                    "| %.2f | %.2f | %.3f |%n",
                    stocks.get(round), patcheds.get(round), patcheds.get(round) / stocks.get(round));
        }
        System.out.printf(
                "| median %.2f | %.2f | %.3f |%n",
                Samples.median(stocks), Samples.median(patcheds), Samples.median(Samples.ratios(patcheds, stocks)));
    }

    /** Starts the broker, stops it again, and returns how long the start took. */
    private static double seconds(ForkedBroker broker) throws IOException, InterruptedException {
        double seconds = StartTime.seconds(broker, List.of());
        broker.stop();
        return seconds;
    }
}
