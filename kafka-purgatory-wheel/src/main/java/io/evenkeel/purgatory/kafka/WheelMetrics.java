/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** The gauges of a timer, beside Kafka's own: {@code kafka.server:type=PurgatoryWheel,name=…,timer=…}. Stateless. */
public final class WheelMetrics {
    /** One gauge, with its text for an operator. */
    public record Gauge(String name, String doc, Function<ClockedTimer<?>, Number> value) {}

    private WheelMetrics() {}

    /**
     * Shows a timer.
     *
     * @param timerName the name that Kafka gives to the timer's executor; of two with one name the first is shown
     * @return removes the gauges
     */
    static Runnable show(String timerName, ClockedTimer<?> timer) {
        KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.server", "PurgatoryWheel");
        Map<String, String> tags = Map.of("timer", timerName);
        gauges().forEach(gauge ->
                group.newGauge(gauge.name(), () -> gauge.value().apply(timer), tags));
        return () -> gauges().forEach(gauge -> group.removeMetric(gauge.name(), tags));
    }

    /** All gauges, in the order of the documentation. */
    public static List<Gauge> gauges() {
        return List.of(
                new Gauge("Adds", "Adds to the timer since it was made.", ClockedTimer::adds),
                new Gauge(
                        "Cancels",
                        "Requests and tasks that left the timer before they were due, since it was made: they were "
                                + "completed.",
                        ClockedTimer::cancels),
                new Gauge(
                        "Expiries",
                        "Requests and tasks that stayed in the timer until they were due, since it was made.",
                        ClockedTimer::expiries),
                new Gauge(
                        "LingeringCancels",
                        "Cancelled requests and tasks that the timer still holds, to unlink several of them at a time: "
                                + "fewer than 64 for each thread that makes requests, and none for longer than 200 ms.",
                        ClockedTimer::lingeringCancels),
                new Gauge(
                        "WakeUps",
                        "How often the waiting thread of the timer was woken, since the timer was made, because an add "
                                + "was due earlier than the end of the wait.",
                        ClockedTimer::wakeUps),
                new Gauge(
                        "ExpiryLatenessP99Ms",
                        "The 99th percentile of how late timeouts were, in milliseconds, over the last one to two "
                                + "minutes; a tick is normal. Alert when it is above 100: the broker has too little "
                                + "CPU.",
                        timer -> millis(timer.latenessNanos(0.99))),
                new Gauge(
                        "ExpiryLatenessMaxMs",
                        "The latest timeout, in milliseconds, over the last one to two minutes.",
                        timer -> millis(timer.latenessNanos(1))));
    }

    private static double millis(long nanos) {
        return (double) TimeUnit.NANOSECONDS.toMicros(nanos) / TimeUnit.MILLISECONDS.toMicros(1);
    }
}
