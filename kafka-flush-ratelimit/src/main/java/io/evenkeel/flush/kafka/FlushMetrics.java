/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.core.kafka.Gauge.now;
import static io.evenkeel.core.kafka.Gauge.rate;

import io.evenkeel.core.History;
import io.evenkeel.core.kafka.Gauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The gauges of flushing by rate, as Kafka has its own: {@code kafka.log:type=FlushRatelimit,name=…}. Stateless. */
public final class FlushMetrics {
    private FlushMetrics() {}

    static void register(Supplier<FlushSnapshot> source) {
        Gauge.register("FlushRatelimit", gauges(), new History<>(source));
    }

    /** All of them, in the order of the documentation. */
    public static List<Gauge<FlushSnapshot>> gauges() {
        List<Gauge<FlushSnapshot>> gauges = new ArrayList<>();
        pending(gauges);
        forces(gauges);
        backPressure(gauges);
        gauges.add(now(
                "FailedLogDirs",
                "Log directories in which a force has failed; Kafka has taken them offline, and nothing is forced there any more. "
                        + "Alert when above 0.",
                FlushSnapshot::failedLogDirs));
        return gauges;
    }

    private static void pending(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(
                now("PendingBytes", "Bytes of all partitions that are not forced yet.", FlushSnapshot::pendingBytes));
        gauges.add(now(
                "MaxPendingBytes",
                "The same of the partition that has most of them.",
                FlushSnapshot::mostPendingBytes));
        gauges.add(ms(
                "OldestPendingMs",
                "How long the oldest byte that is not forced yet has been so. Near the bound: the device hardly keeps up; above it: "
                        + "the device has stopped, and so have appends.",
                FlushSnapshot::oldestPendingNanos));
        gauges.add(now(
                "HighestPendingBytes",
                "The most that one partition has had at any instant since the start, to hold against the bound.",
                FlushSnapshot::highestBytes));
        gauges.add(ms(
                "HighestPendingSpanMs",
                "The longest time since the start between the first and the last append to one partition, as they were let in, that were "
                        + "not forced, to hold against the bound: so much of what was acknowledged could have been lost.",
                FlushSnapshot::highestSpanNanos));
    }

    private static void forces(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(now(
                "PlannedBytesPerSec",
                "At which dirty bytes are forced now: at least so fast that all of them are in time.",
                FlushSnapshot::bytesPerSecond));
        gauges.add(now("Forces", "Forces of a partition by the pacer since the start.", FlushSnapshot::forces));
        gauges.add(rate("ForcesPerSec", "The same a second, over the last minute.", FlushSnapshot::forces));
        gauges.add(now("ForcedBytes", "Bytes that the pacer has forced since the start.", FlushSnapshot::forcedBytes));
        gauges.add(rate("ForcedBytesPerSec", "The same a second, over the last minute.", FlushSnapshot::forcedBytes));
        gauges.add(ms("ForceMs", "How long these forces have taken, all together.", FlushSnapshot::forceNanos));
        gauges.add(ms("LongestForceMs", "How long the longest of them took.", FlushSnapshot::longestForceNanos));
        gauges.add(ms(
                "TurnWaitMs",
                "How long partitions have waited for their turn, from the first dirty byte to the begin of its force, all "
                        + "together.",
                FlushSnapshot::turnWaitNanos));
        gauges.add(now(
                "Escapes",
                "Forces since the start of a partition that takes in more than flush.ratelimit.segment.bytes.per.second, so that a "
                        + "bound would have been exceeded at that rate.",
                FlushSnapshot::escapes));
        gauges.add(now(
                "Syncs",
                "Syncs of a file system since the start, that keep the kernel from writing in bursts: two or more a minute for each disk "
                        + "that is written to all the time, 17 at the most.",
                FlushSnapshot::syncs));
    }

    private static void backPressure(List<Gauge<FlushSnapshot>> gauges) {
        gauges.add(now(
                "WaitingAppends",
                "Appends that wait now, because their partition has used up a bound. Alert when above 0 for long: the device does "
                        + "not keep up.",
                FlushSnapshot::waitingAppends));
        gauges.add(now("AppendWaits", "Appends since the start that had to wait.", FlushSnapshot::appendWaits));
        gauges.add(ms("AppendWaitMs", "How long they have waited, all together.", FlushSnapshot::appendWaitNanos));
        gauges.add(now(
                "RefusedAppends",
                "Appends since the start that were refused after a wait, because others held the log directory's request handlers, "
                        + "or because one of the same producer before it was refused; clients try them again. Alert when it grows.",
                FlushSnapshot::refusedAppends));
        gauges.add(now(
                "PutOffFollowerAppends",
                "Appends of this broker as a follower since the start that were put off; it fetches the records again.",
                FlushSnapshot::putOffAppends));
    }

    private static Gauge<FlushSnapshot> ms(String name, String doc, ToLongFunction<FlushSnapshot> nanos) {
        return now(name, doc, snapshot -> TimeUnit.NANOSECONDS.toMillis(nanos.applyAsLong(snapshot)));
    }
}
