/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Threads;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one variant under one load. Immutable.
 *
 * @param failed records that were not acknowledged
 * @param missing records of the window that the real-time consumer had not received a minute after the window's end
 * @param laggardsBytes the bytes that the lagging consumers read in the window
 * @param load the machine's load average over the last minute, at the end
 */
record Phase(
        String variant,
        boolean lagging,
        Latencies produce,
        Latencies endToEnd,
        long failed,
        long missing,
        long laggardsBytes,
        Usage usage,
        double seconds,
        String load) {
    private static final long GRACE_MS = TimeUnit.MINUTES.toMillis(1);

    String key() {
        return variant + (lagging ? " with" : " without");
    }

    /** Runs the load: a warm-up, then the window that is measured. */
    static Phase run(TierBroker broker, Backlog topic, boolean lagging, LaggingOptions options)
            throws IOException, InterruptedException {
        try (PacedProducer producer = new PacedProducer(broker.client(), topic);
                RealTimeConsumer consumer = new RealTimeConsumer(broker.client(), topic);
                LaggardsProcess laggards = lagging ? startLaggards(broker, topic, options) : null) {
            List<ProcessHandle> clients = new ArrayList<>(List.of(ProcessHandle.current()));
            if (laggards != null) {
                clients.add(laggards.handle());
            }
            Window window = Window.of(options.warmupSeconds(), options.seconds());
            long bytesPerSecond = options.producedMbPerSecond() * 1_000_000L;
            producer.start(window, nanos -> bytesPerSecond);
            Thread consuming = Threads.start("consumer", () -> consumer.run(window));
            window.awaitFrom();
            Usage before = broker.usage(clients);
            long laggardsBefore = bytes(laggards);
            window.awaitTo();
            Usage usage = broker.usage(clients).since(before);
            long laggardsBytes = bytes(laggards) - laggardsBefore;
            String load = Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
            producer.awaitEnd();
            long missing = finish(consumer, consuming, producer, window);
            return new Phase(
                    broker.name(),
                    lagging,
                    producer.latencies(),
                    consumer.latencies(),
                    producer.failed(),
                    missing,
                    laggardsBytes,
                    usage,
                    window.seconds(),
                    load);
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

    private static LaggardsProcess startLaggards(TierBroker broker, Backlog topic, LaggingOptions options)
            throws IOException {
        long oldest = topic.records() * 6 / 10;
        return new LaggardsProcess(
                broker.broker().bootstrap(),
                topic,
                oldest,
                options.laggards(),
                options.laggardsMbPerSecond() * 1_000_000L);
    }

    private static long bytes(@Nullable LaggardsProcess laggards) throws IOException {
        return laggards == null ? 0 : laggards.readBytes();
    }
}
