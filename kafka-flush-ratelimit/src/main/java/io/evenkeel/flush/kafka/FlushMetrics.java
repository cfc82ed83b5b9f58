/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.core.kafka.Gauge.now;
import static io.evenkeel.core.kafka.Gauge.rate;

import io.evenkeel.core.History;
import io.evenkeel.core.kafka.Gauge;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.FlushSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The gauges of flushing by rate, named as Kafka's are: {@code kafka.log:type=FlushRatelimit,name=…}. Stateless. */
public final class FlushMetrics {
    private FlushMetrics() {}

    static void register(Supplier<FlushSnapshot> source) {
        Gauge.register("FlushRatelimit", gauges(), new History<>(source));
    }

    /** All gauges, in the order of the documentation. */
    public static List<Gauge<FlushSnapshot>> gauges() {
        List<Gauge<FlushSnapshot>> gauges = new ArrayList<>();
        gauges.add(now(
                "Shadow",
                "1 while flush.ratelimit.shadow.enable is set: the other gauges show a plan, and nothing is flushed by"
                        + " rate. 0 otherwise.",
                snapshot -> snapshot.isShadow() ? 1 : 0));
        pending(gauges);
        flushes(gauges);
        pacing(gauges);
        bounds(gauges);
        gauges.add(now(
                "FailedLogDirs",
                "Log directories in which a flush has failed. Kafka has taken them offline, and flushing by rate has "
                        + "stopped there. Alert when above 0.",
                snapshot -> snapshot.backlog().failedLogDirs()));
        return gauges;
    }

    private static void pending(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(now(
                "PendingBytes",
                "Unflushed bytes of all partitions.",
                snapshot -> snapshot.backlog().bytes()));
        gauges.add(now(
                "MaxPendingBytes",
                "Unflushed bytes of the partition that has most of them.",
                snapshot -> snapshot.backlog().largestBytes()));
        gauges.add(ms(
                "OldestPendingMs",
                "The age of the oldest unflushed byte. Above the bound, the device does not keep up.",
                snapshot -> snapshot.backlog().oldestNanos()));
        gauges.add(count(
                "HighestPendingBytes",
                "The most unflushed bytes that one partition has had at any instant since the start. Compare it with "
                        + "flush.ratelimit.max.unflushed.bytes.",
                FlushCounter.HIGHEST_PENDING_BYTES));
        gauges.add(countMs(
                "HighestPendingSpanMs",
                "The longest time since the start between the first and the last unflushed append to one partition: a "
                        + "power cut could have lost that much acknowledged data. Compare it with "
                        + "flush.ratelimit.max.unflushed.ms.",
                FlushCounter.HIGHEST_PENDING_SPAN_NANOS));
    }

    private static void flushes(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(now(
                "PlannedBytesPerSec",
                "The rate at which the pacer flushes now: high enough that every partition is flushed in time.",
                snapshot -> (long) snapshot.backlog().plannedBytesPerSecond()));
        gauges.add(count("Flushes", "Flushes of a partition by the pacer since the start.", FlushCounter.FLUSHES));
        gauges.add(countRate("FlushesPerSec", "The same per second, over the last minute.", FlushCounter.FLUSHES));
        gauges.add(
                count("FlushedBytes", "Bytes that the pacer has flushed since the start.", FlushCounter.FLUSHED_BYTES));
        gauges.add(countRate(
                "FlushedBytesPerSec", "The same per second, over the last minute.", FlushCounter.FLUSHED_BYTES));
        gauges.add(countMs("FlushMs", "The total duration of these flushes.", FlushCounter.FLUSH_NANOS));
        gauges.add(countMs("LongestFlushMs", "The duration of the longest of them.", FlushCounter.LONGEST_FLUSH_NANOS));
    }

    private static void pacing(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(countMs(
                "TurnWaitMs",
                "The total time that partitions have waited for their turn, from the first unflushed byte to the begin "
                        + "of the flush.",
                FlushCounter.TURN_WAIT_NANOS));
        gauges.add(count(
                "Escapes",
                "Flushes since the start that came earlier than flush.ratelimit.segment.bytes.per.second allows, "
                        + "because the partition would otherwise have exceeded a bound.",
                FlushCounter.ESCAPES));
        gauges.add(count(
                "Syncs",
                "Calls of syncfs since the start that have succeeded. They prevent the kernel's write bursts: two or "
                        + "more a minute for each disk that takes writes all the time, at most 17.",
                FlushCounter.SYNCS));
        gauges.add(count("SyncFailures", "Calls of syncfs since the start that failed.", FlushCounter.SYNC_FAILURES));
    }

    private static void bounds(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(count(
                "BoundsExceeded",
                "How often since the start a partition has come to exceed flush.ratelimit.max.unflushed.bytes or .ms. "
                        + "The log names the disk and the cause. Alert when it grows: a power cut of all replicas "
                        + "could lose more than the bounds.",
                FlushCounter.BOUNDS_EXCEEDED));
        gauges.add(count(
                "WaitingAppends",
                "Produce requests that wait now, because a partition has used up its bound in bytes.",
                FlushCounter.WAITING_APPENDS));
        gauges.add(count(
                "AppendWaits",
                "Appends since the start that had to wait. None waits longer than flush.ratelimit.max.append.wait.ms.",
                FlushCounter.APPEND_WAITS));
        gauges.add(countMs("AppendWaitMs", "The total duration of these waits.", FlushCounter.APPEND_WAIT_NANOS));
    }

    private static Gauge<FlushSnapshot> count(String name, String doc, FlushCounter counter) {
        return now(name, doc, snapshot -> snapshot.count(counter));
    }

    private static Gauge<FlushSnapshot> countRate(String name, String doc, FlushCounter counter) {
        return rate(name, doc, snapshot -> snapshot.count(counter));
    }

    private static Gauge<FlushSnapshot> countMs(String name, String doc, FlushCounter counter) {
        return ms(name, doc, snapshot -> snapshot.count(counter));
    }

    private static Gauge<FlushSnapshot> ms(String name, String doc, ToLongFunction<FlushSnapshot> nanos) {
        return now(name, doc, snapshot -> TimeUnit.NANOSECONDS.toMillis(nanos.applyAsLong(snapshot)));
    }
}
