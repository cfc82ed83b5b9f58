/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Window;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/**
 * Produces to any cluster at a given rate, reads the records as they come, and shows each second how long both took.
 *
 * <p>Latencies count from the instant at which a record was due, so a stall counts for all records that should have
 * been sent meanwhile: they are corrected for coordinated omission. With {@code --log} each second's histograms are
 * kept in HdrHistogram's own format.
 */
public final class Load {
    private static final Set<String> ARGUMENTS = Set.of(
            "--bootstrap",
            "--topic",
            "--partitions",
            "--replicas",
            "--mb",
            "--value-bytes",
            "--seconds",
            "--log",
            "--client");

    private final Arguments arguments;
    private final Properties client = new Properties();
    private final Backlog topic;

    private Load(Arguments arguments) {
        this.arguments = arguments;
        client.put("bootstrap.servers", arguments.text("--bootstrap"));
        client.putAll(arguments.properties("--client"));
        this.topic = new Backlog(
                arguments.has("--topic") ? arguments.text("--topic") : "evenkeel-load",
                arguments.number("--partitions", 8),
                arguments.number("--value-bytes", 1000),
                0);
    }

    /** Arguments: see {@code benchmarks/load --help}. */
    public static void main(String[] args) throws Exception {
        new Load(new Arguments(args, ARGUMENTS)).run();
    }

    private void run() throws Exception {
        createTopic();
        long bytesPerSecond = arguments.number("--mb", 10) * 1_000_000L;
        Window window = Window.of(0, arguments.number("--seconds", 60));
        try (LiveLoad load = new LiveLoad(client, topic, window, nanos -> bytesPerSecond)) {
            show(load, (int) window.seconds());
            long missing = load.awaitEnd();
            System.out.println("\n| | p50 / p99 / p99.9 / max, ms | lost |\n| --- | --- | --- |");
            System.out.printf("| produce | %s | %d |%n", load.produce().describe(), load.failed());
            System.out.printf("| end to end | %s | %d |%n", load.endToEnd().describe(), missing);
        }
    }

    /** A line a second. */
    private void show(LiveLoad load, int seconds) throws InterruptedException, FileNotFoundException {
        HistogramLogWriter log = log();
        while (seconds-- > 0) {
            LiveLoad.Second second = load.next();
            System.err.println(second.describe());
            if (log != null) {
                write(log, "produce", second.produce(), second.number());
                write(log, "endToEnd", second.endToEnd(), second.number());
            }
        }
    }

    private @Nullable HistogramLogWriter log() throws FileNotFoundException {
        if (!arguments.has("--log")) {
            return null;
        }
        HistogramLogWriter log = new HistogramLogWriter(arguments.path("--log").toFile());
        log.outputComment("[microseconds from the instant at which a record was due]");
        log.outputLogFormatVersion();
        log.outputLegend();
        return log;
    }

    private static void write(HistogramLogWriter log, String tag, Histogram histogram, int second) {
        histogram.setTag(tag);
        log.outputIntervalHistogram(second - 1, second, histogram);
    }

    /** Does nothing when the topic is there. */
    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(client)) {
            if (!admin.listTopics().names().get().contains(topic.name())) {
                NewTopic made =
                        new NewTopic(topic.name(), topic.partitions(), (short) arguments.number("--replicas", 1));
                admin.createTopics(List.of(made.configs(Map.of()))).all().get();
            }
        }
    }
}
