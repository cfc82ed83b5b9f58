/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one variant did while one load was on it. Immutable.
 *
 * @param failed records that were not acknowledged
 * @param missing records of the window that the real-time consumer had not received a minute after its end
 * @param laggardsBytes read by the lagging consumers in the window
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
    private static final long PATIENCE_MS = TimeUnit.MINUTES.toMillis(1);

    String key() {
        return variant + (lagging ? " with" : " without");
    }

    /** Runs the load: a warm-up, then the window that is measured. */
    static Phase run(Variant variant, Backlog topic, boolean lagging, Options options)
            throws IOException, InterruptedException {
        try (PacedProducer producer = new PacedProducer(variant.client(), topic);
                RealTimeConsumer consumer = new RealTimeConsumer(variant.client(), topic);
                LaggardsProcess laggards = lagging ? startLaggards(variant, topic, options) : null) {
            List<ProcessHandle> clients = new ArrayList<>(List.of(ProcessHandle.current()));
            if (laggards != null) {
                clients.add(laggards.handle());
            }
            Window window = Window.of(options.warmupSeconds(), options.seconds());
            long bytesPerSecond = options.producedMbPerSecond() * 1_000_000L;
            Thread producing = start("producer", () -> producer.run(window, nanos -> bytesPerSecond));
            Thread consuming = start("consumer", () -> consumer.run(window));
            await(window.fromNanos());
            Usage before = Usage.now(variant.disks(), variant.broker().pid(), clients);
            long laggardsBefore = bytes(laggards);
            await(window.toNanos());
            Usage usage =
                    Usage.now(variant.disks(), variant.broker().pid(), clients).since(before);
            long laggardsBytes = bytes(laggards) - laggardsBefore;
            String load = Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
            producing.join();
            long missing = finish(consumer, consuming, producer, window);
            return new Phase(
                    variant.name(),
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

    /** Waits for what was produced; answers how much of it did not come. */
    private static long finish(RealTimeConsumer consumer, Thread consuming, PacedProducer producer, Window window)
            throws InterruptedException {
        long produced = producer.latencies().count();
        consumer.expect(produced);
        consuming.join(PATIENCE_MS);
        long missing = produced - consumer.latencies().count();
        consumer.expect(0);
        consuming.join();
        consumer.latencies().recordUnfinished(System.nanoTime() - window.toNanos(), missing);
        return missing;
    }

    private static LaggardsProcess startLaggards(Variant variant, Backlog topic, Options options) throws IOException {
        long oldest = topic.records() * 6 / 10;
        return new LaggardsProcess(
                variant.broker().bootstrap(),
                topic,
                oldest,
                options.laggards(),
                options.laggardsMbPerSecond() * 1_000_000L);
    }

    private static long bytes(@Nullable LaggardsProcess laggards) throws IOException {
        return laggards == null ? 0 : laggards.readBytes();
    }

    private static Thread start(String name, Runnable load) {
        Thread thread = new Thread(load, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void await(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }
}
