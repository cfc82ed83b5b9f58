/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** The gauges of a timer, beside Kafka's own: {@code kafka.server:type=PurgatoryWheel,name=…,timer=…}. Stateless. */
public final class WheelMetrics {
    /** One gauge, and what it tells an operator. */
    public record Gauge(String name, String doc, Function<ClockedTimer<?>, Number> value) {}

    private WheelMetrics() {}

    /**
     * Shows a timer.
     *
     * @param timerName as Kafka names the timer's executor; of two with one name the first is shown
     * @return what ends it
     */
    static Runnable show(String timerName, ClockedTimer<?> timer) {
        KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.server", "PurgatoryWheel");
        Map<String, String> tags = Map.of("timer", timerName);
        gauges().forEach(gauge ->
                group.newGauge(gauge.name(), () -> gauge.value().apply(timer), tags));
        return () -> gauges().forEach(gauge -> group.removeMetric(gauge.name(), tags));
    }

    /** All of them, in the order of the documentation. */
    public static List<Gauge> gauges() {
        return List.of(
                new Gauge("Adds", "What was added since the timer was made, once for each time.", ClockedTimer::adds),
                new Gauge(
                        "Cancels",
                        "What left the timer before its time since the timer was made: requests that were completed.",
                        ClockedTimer::cancels),
                new Gauge(
                        "Expiries",
                        "What was in the timer until its time was over, since the timer was made.",
                        ClockedTimer::expiries),
                new Gauge(
                        "WakeUps",
                        "How often the thread that waits for the timer was woken for something that is due earlier than what it "
                                + "waited for, since the timer was made.",
                        ClockedTimer::wakeUps),
                new Gauge(
                        "ExpiryLatenessP99Ms",
                        "What 99 of 100 timeouts were not later than, in milliseconds, over the last one to two minutes; a tick is "
                                + "normal. Alert when it is above 100: the broker's CPUs do not suffice.",
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
