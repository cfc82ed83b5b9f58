/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.History;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/**
 * One gauge of a patch, shown like Kafka's own, and its text for operators. Immutable.
 *
 * @param <S> a snapshot of the measured values
 */
public record Gauge<S>(String name, String doc, Value<S> value) {
    /** The value at an instant. */
    @FunctionalInterface
    public interface Value<S> {
        Number of(History<S> history, long nowNanos);
    }

    /** A present value. */
    public static <S> Gauge<S> now(String name, String doc, ToLongFunction<S> value) {
        return new Gauge<>(name, doc, (history, nowNanos) -> value.applyAsLong(history.latest(nowNanos)));
    }

    /** How much a value has grown a second, over the last minute. */
    public static <S> Gauge<S> rate(String name, String doc, ToLongFunction<S> value) {
        return new Gauge<>(name, doc, (history, nowNanos) -> history.perSecond(nowNanos, value));
    }

    /** Shows all of them as {@code kafka.log:type=<type>,name=<name>}. */
    public static <S> void register(String type, List<Gauge<S>> gauges, History<S> history) {
        KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.log", type);
        gauges.forEach(gauge -> group.newGauge(gauge.name(), () -> gauge.value().of(history, System.nanoTime())));
    }
}
