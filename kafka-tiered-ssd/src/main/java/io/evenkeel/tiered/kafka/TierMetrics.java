/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static io.evenkeel.core.kafka.Gauge.now;
import static io.evenkeel.core.kafka.Gauge.rate;

import io.evenkeel.core.History;
import io.evenkeel.core.kafka.Gauge;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.DeviceStats;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The tier's gauges, as Kafka has its own: {@code kafka.log:type=TieredSsd,name=…}. Stateless. */
public final class TierMetrics {
    private static final double NANOS_PER_PERCENT = TimeUnit.SECONDS.toNanos(1) / 100.0;

    private TierMetrics() {}

    static void register(TieredSsd tier) {
        Gauge.register("TieredSsd", gauges(), new History<>(tier::snapshot));
    }

    /** All of them, in the order of the documentation. */
    public static List<Gauge<TierSnapshot>> gauges() {
        List<Gauge<TierSnapshot>> gauges = new ArrayList<>();
        byState(gauges, SegmentState.ONLY_CACHE, "OnlyCache", "on the SSD only");
        byState(gauges, SegmentState.CACHED, "Cached", "complete on both devices and read from the SSD");
        byState(gauges, SegmentState.WITHOUT_CACHE, "WithoutCache", "on the HDD only");
        ssd(gauges);
        copies(gauges);
        gauges.add(now(
                "EvictedSegments", "Segments evicted from the SSDs since the start.", TierSnapshot::evictedSegments));
        gauges.add(now("EvictedBytes", "Bytes freed on the SSDs since the start.", TierSnapshot::evictedBytes));
        gauges.add(rate(
                "EvictBytesPerSec",
                "Bytes freed on the SSDs a second, over the last minute.",
                TierSnapshot::evictedBytes));
        placement(gauges);
        byDevice(gauges, "Ssd", TierSnapshot::ssdUse);
        byDevice(gauges, "Hdd", TierSnapshot::hddUse);
        gauges.add(now(
                "HddReadWaits",
                "Reads since the start that waited for an HDD, rather than finding their bytes in the page cache.",
                snapshot -> snapshot.hddWaits().operations()));
        gauges.add(now(
                "HddReadWaitMs",
                "The sum of the times of these waits.",
                snapshot -> TimeUnit.NANOSECONDS.toMillis(snapshot.hddWaits().nanos())));
        coldReads(gauges);
        shadow(gauges);
        return gauges;
    }

    private static void shadow(List<Gauge<TierSnapshot>> gauges) {
        String ifOn = " in the shadow (tiered.ssd.mode=shadow)";
        gauges.add(now(
                "ShadowCapacityBytes",
                "The capacity of all SSDs" + ifOn + "; 0 when the tier is not in the shadow.",
                snapshot -> snapshot.shadow().capacityBytes()));
        gauges.add(now(
                "ShadowBytes",
                "Bytes of segments that would be on the SSDs" + ifOn + ".",
                snapshot -> snapshot.shadow().heldBytes()));
        gauges.add(new Gauge<>(
                "ShadowHitPercent",
                "The part of the bytes read in the last minute that would have come from the SSDs" + ifOn
                        + "; -1 when nothing was read.",
                TierMetrics::hitPercent));
        gauges.add(now(
                "ShadowSsdReadBytes",
                "Bytes read since the start that would have come from the SSDs" + ifOn + ".",
                snapshot -> snapshot.shadow().ssd().readBytes()));
        gauges.add(now(
                "ShadowHddReadBytes",
                "Bytes read since the start that would have come from the HDDs" + ifOn + ".",
                snapshot -> snapshot.shadow().hdd().readBytes()));
        gauges.add(now(
                "ShadowSavedWaits",
                "Reads since the start that waited for an HDD, and would have found their bytes on an SSD" + ifOn
                        + ". Compare it with HddReadWaits.",
                snapshot -> snapshot.shadow().savedWaits().operations()));
        gauges.add(now(
                "ShadowSavedWaitMs",
                "The sum of the times of these waits.",
                snapshot -> TimeUnit.NANOSECONDS.toMillis(
                        snapshot.shadow().savedWaits().nanos())));
        shadowSpace(gauges, ifOn);
    }

    private static void shadowSpace(List<Gauge<TierSnapshot>> gauges, String ifOn) {
        gauges.add(now(
                "ShadowEvictedSegments",
                "Segments that would have been evicted since the start" + ifOn + ".",
                snapshot -> snapshot.shadow().evictedSegments()));
        gauges.add(now(
                "ShadowEvictedBytes",
                "Bytes that would have been evicted since the start" + ifOn + ".",
                snapshot -> snapshot.shadow().evictedBytes()));
        gauges.add(now(
                "ShadowRefusedSegments",
                "New segments since the start that would have found no room on an SSD" + ifOn + ".",
                snapshot -> snapshot.shadow().refusedSegments()));
    }

    private static Number hitPercent(History<TierSnapshot> history, long nowNanos) {
        double ssd =
                history.perSecond(nowNanos, snapshot -> snapshot.shadow().ssd().readBytes());
        double hdd =
                history.perSecond(nowNanos, snapshot -> snapshot.shadow().hdd().readBytes());
        return ssd + hdd == 0 ? -1L : Math.round(100 * ssd / (ssd + hdd));
    }

    private static void coldReads(List<Gauge<TierSnapshot>> gauges) {
        gauges.add(now(
                "ColdReadBytes",
                "Bytes read from the HDDs since the start for consumers that lag behind the SSDs.",
                snapshot -> snapshot.coldReads().bytes()));
        gauges.add(rate(
                "ColdReadBytesPerSec",
                "The same a second, over the last minute.",
                snapshot -> snapshot.coldReads().bytes()));
        gauges.add(now(
                "ColdReadBusyMs",
                "The time that these reads took since the start, all HDDs together. Divided by the time and the number"
                        + " of HDDs, it is the share of their time that the HDDs spend on such consumers.",
                snapshot -> TimeUnit.NANOSECONDS.toMillis(snapshot.coldReads().busyNanos())));
        gauges.add(new Gauge<>(
                "ColdReadBusyPercent",
                "The same as a part of the time, over the last minute: 100 is one HDD that reads without a pause.",
                (history, nowNanos) -> Math.round(history.perSecond(
                                nowNanos, snapshot -> snapshot.coldReads().busyNanos())
                        / NANOS_PER_PERCENT)));
        gauges.add(now(
                "ColdReadQueue",
                "Chunks of 128 KiB that are now to be read from the HDDs.",
                snapshot -> snapshot.coldReads().queued()));
        gauges.add(now(
                "ColdReadWaitingSends",
                "Responses that now wait for bytes from an HDD or an SSD. They hold up no network thread.",
                snapshot -> snapshot.coldReads().waitingSends()));
        gauges.add(now(
                "ColdReadBufferBytes",
                "Memory that is allocated for what is read from the HDDs and SSDs.",
                snapshot -> snapshot.coldReads().bufferBytes()));
    }

    private static void ssd(List<Gauge<TierSnapshot>> gauges) {
        gauges.add(now(
                "SsdCapacityBytes",
                "The capacity of all SSDs together, without suspect ones.",
                TierSnapshot::ssdCapacityBytes));
        gauges.add(now(
                "SsdUsedBytes",
                "Bytes of segments on the SSDs, with the space that is reserved for active segments.",
                TierSnapshot::ssdUsedBytes));
        gauges.add(rate(
                "SsdWriteBytesPerSec",
                "Bytes appended to segments on the SSDs a second, over the last minute.",
                TierSnapshot::ssdWrittenBytes));
        gauges.add(new Gauge<>(
                "SsdSecondsToFill",
                "How many seconds it takes to fill the SSDs at the present rate of appends, if nothing is copied from"
                        + " now on; then new segments go to the HDDs. -1 when nothing is appended. A low value means"
                        + " that copies do not keep up, or that the SSDs are small.",
                TierMetrics::secondsToFill));
        gauges.add(now(
                "SuspectSsds",
                "SSDs that have failed and get no new segments. Alert when above 0.",
                TierSnapshot::suspectSsds));
    }

    private static void copies(List<Gauge<TierSnapshot>> gauges) {
        gauges.add(now("CopiedSegments", "Segments copied to the HDDs since the start.", TierSnapshot::copiedSegments));
        gauges.add(
                now("CopiedBytes", "Bytes of segments copied to the HDDs since the start.", TierSnapshot::copiedBytes));
        gauges.add(rate(
                "CopyBytesPerSec",
                "Bytes of segments copied to the HDDs a second, over the last minute.",
                TierSnapshot::copiedBytes));
        gauges.add(now(
                "CopyFailures",
                "Copies that failed since the start; each is tried again. Alert when it grows.",
                TierSnapshot::copyFailures));
        gauges.add(now(
                "CopyRateLimit",
                "Bytes of segments a second that may now be copied to all HDDs together. It falls when reads of the"
                        + " HDDs take longer and rises as the SSDs fill; 0 when the tier is paused.",
                TierSnapshot::copyBytesPerSecond));
        copyLag(gauges);
        gauges.add(now(
                "QuarantinedSegments",
                "Segments that the tier neither copies nor evicts after a failure, until the broker is restarted. Alert"
                        + " when above 0.",
                TierSnapshot::quarantinedSegments));
    }

    private static void copyLag(List<Gauge<TierSnapshot>> gauges) {
        gauges.add(now(
                "CopyLagSegments",
                "Segments that wait to be copied to the HDDs.",
                snapshot -> snapshot.copyLag().segments()));
        gauges.add(now(
                "CopyLagBytes",
                "Bytes of the segments that wait to be copied to the HDDs.",
                snapshot -> snapshot.copyLag().bytes()));
        gauges.add(now(
                "CopyLagMs",
                "The longest time that a segment has waited to be copied, since it was sealed or found sealed at the"
                        + " start. Alert when it grows for hours.",
                snapshot -> snapshot.copyLag().ms()));
    }

    private static void placement(List<Gauge<TierSnapshot>> gauges) {
        gauges.add(now(
                "PlacedOnHdd",
                "New segments since the start that belong on an SSD and could not go there. Alert when it grows.",
                TierSnapshot::refusedBySsd));
        for (HddReason reason : HddReason.values()) {
            gauges.add(now(
                    "PlacedOnHdd" + camelCase(reason),
                    "New segments since the start that went to the HDD because " + reason + ".",
                    snapshot -> snapshot.placedOnHdd().getOrDefault(reason, 0L)));
        }
        gauges.add(now(
                "SpilledSegments",
                "Segments moved to the HDD in the middle of an append since the start, because the SSD's file system"
                        + " was full. Alert when it grows: another program writes there.",
                TierSnapshot::spilledSegments));
    }

    private static void byState(List<Gauge<TierSnapshot>> gauges, SegmentState state, String name, String where) {
        gauges.add(now(
                "Segments" + name,
                "Segments that are " + where + ".",
                snapshot -> snapshot.segments().getOrDefault(state, 0L)));
        gauges.add(now(
                "Bytes" + name,
                "Bytes of the segments that are " + where + ".",
                snapshot -> snapshot.bytes().getOrDefault(state, 0L)));
    }

    private static void byDevice(
            List<Gauge<TierSnapshot>> gauges, String name, Function<TierSnapshot, DeviceStats> device) {
        String plural = name.toUpperCase(Locale.ROOT) + "s";
        gauges.add(now(
                name + "Reads",
                "Reads of segments from the " + plural + " since the start, sends to clients among them.",
                snapshot -> device.apply(snapshot).reads()));
        gauges.add(now(
                name + "ReadBytes",
                "Bytes of segments served from the " + plural + " since the start.",
                snapshot -> device.apply(snapshot).readBytes()));
        gauges.add(now(
                name + "Errors",
                "Failed reads, writes and flushes of segments on the " + plural
                        + " since the start; CopyFailures counts failed copies. Alert when it grows.",
                snapshot -> device.apply(snapshot).errors()));
    }

    private static Number secondsToFill(History<TierSnapshot> history, long nowNanos) {
        double bytesPerSecond = history.perSecond(nowNanos, TierSnapshot::ssdWrittenBytes);
        return bytesPerSecond == 0 ? -1L : (long) (history.latest(nowNanos).roomBytes() / bytesPerSecond);
    }

    private static String camelCase(HddReason reason) {
        StringBuilder name = new StringBuilder();
        for (String word : reason.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
