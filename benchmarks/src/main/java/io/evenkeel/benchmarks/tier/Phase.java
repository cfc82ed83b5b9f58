/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Sampler;
import io.evenkeel.benchmarks.lab.Threads;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one variant under one load. Immutable.
 *
 * @param laggards how many consumers lagged; empty for the load without any, which is also without old records for the
 *     consumer that is up to date
 * @param failed records that were not acknowledged
 * @param missing records of the window that the real-time consumer had not received a minute after the window's end
 */
record Phase(
        String variant,
        OptionalInt laggards,
        Latencies produce,
        Latencies endToEnd,
        long failed,
        long missing,
        Measured measured,
        double seconds) {
    /**
     * What was measured from outside, in the window.
     *
     * @param laggardsBytes the bytes of old records that consumers read
     * @param residency how much of the newest segments the page cache had, from 0 to 1: the mean over the seconds
     * @param load the machine's load average over the last minute, at the end
     */
    record Measured(long laggardsBytes, double residency, Usage usage, String load) {}

    private static final long GRACE_MS = TimeUnit.MINUTES.toMillis(1);

    String key() {
        return variant + " " + load(laggards);
    }

    /** The load's name, for a table. */
    static String load(OptionalInt laggards) {
        return laggards.isPresent() ? "with %d laggards".formatted(laggards.getAsInt()) : "without laggards";
    }

    /**
     * Runs the load: a warm-up without laggards, one with them if there are any, and then the window that is measured.
     */
    static Phase run(TierBroker broker, LagTopics topics, OptionalInt lagging, LaggingOptions options)
            throws IOException, InterruptedException {
        try (PacedProducer producer = new PacedProducer(broker.client(), topics.events());
                RealTimeConsumer consumer = new RealTimeConsumer(broker.client(), topics.events())) {
            Window window = Window.of(2 * options.warmupSeconds(), options.seconds());
            long bytesPerSecond = options.producedMbPerSecond() * 1_000_000L;
            producer.start(window, nanos -> bytesPerSecond);
            Thread consuming = options.realTime() ? Threads.start("consumer", () -> consumer.run(window)) : null;
            TimeUnit.SECONDS.sleep(options.warmupSeconds());
            if (lagging.isPresent() && options.mixed()) {
                consumer.readAlso(topics.onHdd());
            }
            try (LaggardsProcess laggards = lagging.isPresent()
                    ? new LaggardsProcess(broker.client(), topics, lagging.getAsInt(), options)
                    : null) {
                Measured measured = measure(broker, topics, window, consumer, laggards);
                producer.awaitEnd();
                long missing = consuming == null ? 0 : finish(consumer, consuming, producer, window);
                return new Phase(
                        broker.name(),
                        lagging,
                        producer.latencies(),
                        consumer.latencies(),
                        producer.failed(),
                        missing,
                        measured,
                        window.seconds());
            }
        }
    }

    private static Measured measure(
            TierBroker broker,
            LagTopics topics,
            Window window,
            RealTimeConsumer consumer,
            @Nullable LaggardsProcess laggards)
            throws IOException, InterruptedException {
        List<ProcessHandle> clients = new ArrayList<>(List.of(ProcessHandle.current()));
        if (laggards != null) {
            clients.add(laggards.handle());
        }
        window.awaitFrom();
        Usage before = broker.usage(clients);
        long oldBefore = bytes(laggards) + consumer.oldBytes();
        try (Sampler<Double> residency = new Sampler<>("residency", 1, () -> broker.residency(topics.events()))) {
            window.awaitTo();
            return new Measured(
                    bytes(laggards) + consumer.oldBytes() - oldBefore,
                    residency.stop().stream()
                            .mapToDouble(Sampler.Sample::value)
                            .average()
                            .orElse(0),
                    broker.usage(clients).since(before),
                    Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
        }
    }

    /** Waits until the consumer has the records of the window; returns how many did not come. */
    private static long finish(RealTimeConsumer consumer, Thread consuming, PacedProducer producer, Window window)
            throws InterruptedException {
        long produced = producer.latencies().count();
        consumer.expect(produced);
        consuming.join(GRACE_MS);
        long missing = produced - consumer.latencies().count();
        consumer.expect(0);
        consuming.join();
        consumer.latencies().recordUnfinished(System.nanoTime() - window.toNanos(), missing);
        return missing;
    }

    private static long bytes(@Nullable LaggardsProcess laggards) throws IOException {
        return laggards == null ? 0 : laggards.receivedBytes();
    }
}
