/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Rate;
import io.evenkeel.benchmarks.lab.Threads;
import io.evenkeel.benchmarks.lab.Window;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A producer, a consumer that reads its records as they come, and the figures of each second. One thread drives it. */
final class LiveLoad implements AutoCloseable {
    private static final long GRACE_MS = 10_000;

    private final PacedProducer producer;
    private final RealTimeConsumer consumer;
    private final Thread consuming;
    private final Window window;
    private final int valueBytes;
    private int seconds;

    /**
     * What was acknowledged and received within one second. Immutable, as long as nobody changes the histograms.
     *
     * @param number from 1
     * @param produce microseconds from due to acknowledged
     * @param endToEnd microseconds from due to received
     * @param failed records that were not acknowledged, since the load began
     */
    record Second(int number, Histogram produce, Histogram endToEnd, long failed, double megabytes) {
        /** On one line, without its end. */
        String describe() {
            return "%4d s: %6.1f MB/s, produce %s, end to end %s, %d failed"
                    .formatted(number, megabytes, describe(produce), describe(endToEnd), failed);
        }

        private static String describe(Histogram micros) {
            return "%.1f / %.1f / %.0f ms"
                    .formatted(
                            micros.getValueAtPercentile(50) / 1e3,
                            micros.getValueAtPercentile(99) / 1e3,
                            micros.getMaxValue() / 1e3);
        }
    }

    /** Begins at once. */
    LiveLoad(Properties client, Backlog topic, Window window, Rate rate) {
        this.window = window;
        this.valueBytes = topic.valueBytes();
        this.producer = new PacedProducer(client, topic);
        this.consumer = new RealTimeConsumer(client, topic);
        producer.latencies().startIntervals();
        consumer.latencies().startIntervals();
        producer.start(window, rate);
        this.consuming = Threads.start("consumer", () -> consumer.run(window));
    }

    /** Returns when the next second is over. */
    Second next() throws InterruptedException {
        seconds++;
        TimeUnit.NANOSECONDS.sleep(window.startNanos() + TimeUnit.SECONDS.toNanos(seconds) - System.nanoTime());
        Histogram produce = producer.latencies().takeInterval();
        double megabytes = produce.getTotalCount() * valueBytes / 1e6;
        return new Second(seconds, produce, consumer.latencies().takeInterval(), producer.failed(), megabytes);
    }

    /** Sends no more records; returns how many of those that were acknowledged have not come. */
    long end() throws InterruptedException {
        producer.close();
        return awaitEnd();
    }

    /** Waits until the window has ended; returns how many acknowledged records have not come. */
    long awaitEnd() throws InterruptedException {
        producer.awaitEnd();
        long acknowledged = producer.latencies().count() - producer.failed();
        consumer.expect(acknowledged);
        consuming.join(GRACE_MS);
        consumer.expect(0);
        consuming.join();
        return Math.max(0, acknowledged - consumer.latencies().count());
    }

    /** From due to acknowledged, of all seconds. */
    Latencies produce() {
        return producer.latencies();
    }

    /** From due to received, of all seconds. */
    Latencies endToEnd() {
        return consumer.latencies();
    }

    /** Records that were not acknowledged. */
    long failed() {
        return producer.failed();
    }

    @Override
    public void close() {
        producer.close();
        consumer.expect(0);
        Threads.join(consuming);
        consumer.close();
    }
}
