/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Threads;
import io.evenkeel.benchmarks.lab.Window;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
    private static final long GRACE_MS = 10_000;

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
        try (PacedProducer producer = new PacedProducer(client, topic);
                RealTimeConsumer consumer = new RealTimeConsumer(client, topic)) {
            producer.latencies().startIntervals();
            consumer.latencies().startIntervals();
            Window window = Window.of(0, arguments.number("--seconds", 60));
            producer.start(window, nanos -> bytesPerSecond);
            Thread consuming = Threads.start("consumer", () -> consumer.run(window));
            show(window, producer, consumer.latencies());
            producer.awaitEnd();
            long missing = finish(producer, consumer, consuming);
            System.out.println("\n| | p50 / p99 / p99.9 / max, ms | lost |\n| --- | --- | --- |");
            System.out.printf("| produce | %s | %d |%n", producer.latencies().describe(), producer.failed());
            System.out.printf("| end to end | %s | %d |%n", consumer.latencies().describe(), missing);
        }
    }

    /** Returns how many records have not come. */
    private static long finish(PacedProducer producer, RealTimeConsumer consumer, Thread consuming)
            throws InterruptedException {
        long acknowledged = producer.latencies().count() - producer.failed();
        consumer.expect(acknowledged);
        consuming.join(GRACE_MS);
        consumer.expect(0);
        consuming.join();
        return Math.max(0, acknowledged - consumer.latencies().count());
    }

    /** A line a second. */
    private void show(Window window, PacedProducer producer, Latencies endToEnd)
            throws InterruptedException, FileNotFoundException {
        HistogramLogWriter log = log();
        int seconds = (int) window.seconds();
        for (int second = 1; second <= seconds; second++) {
            long due = window.startNanos() + TimeUnit.SECONDS.toNanos(second);
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            Histogram produced = producer.latencies().takeInterval();
            Histogram received = endToEnd.takeInterval();
            System.err.printf(
                    "%4d s: %6.1f MB/s, produce %s, end to end %s, %d failed%n",
                    second,
                    produced.getTotalCount() * topic.valueBytes() / 1e6,
                    describe(produced),
                    describe(received),
                    producer.failed());
            if (log != null) {
                write(log, "produce", produced, second);
                write(log, "endToEnd", received, second);
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

    private static String describe(Histogram micros) {
        return "%.1f / %.1f / %.0f ms"
                .formatted(
                        micros.getValueAtPercentile(50) / 1e3,
                        micros.getValueAtPercentile(99) / 1e3,
                        micros.getMaxValue() / 1e3);
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
