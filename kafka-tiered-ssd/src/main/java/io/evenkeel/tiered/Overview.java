/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.CopyLag;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DeviceStats;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.ReadWaits;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSnapshot;
import io.evenkeel.tiered.coldread.ColdReaders;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.ShadowSsds;
import io.evenkeel.tiered.disk.SsdDir;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Puts the state of the whole tier into a snapshot. Thread safe: it only reads. */
final class Overview {
    private final SegmentMap segments;
    private final List<SsdDir> ssdDirs;
    private final Collection<Hdd> hdds;
    private final TierCounts counts;
    private final ColdReaders coldReaders;
    private final ShadowSsds shadow;

    Overview(
            SegmentMap segments,
            List<SsdDir> ssdDirs,
            Collection<Hdd> hdds,
            TierCounts counts,
            ColdReaders coldReaders,
            ShadowSsds shadow) {
        this.segments = segments;
        this.ssdDirs = List.copyOf(ssdDirs);
        this.hdds = List.copyOf(hdds);
        this.counts = counts;
        this.coldReaders = coldReaders;
        this.shadow = shadow;
    }

    /** Walks all segments. */
    TierSnapshot snapshot(DynamicTierSettings settings, long nowNanos) {
        Census census = new Census(nowNanos);
        segments.forEach(census::count);
        return new TierSnapshot(
                census.segments(),
                census.bytes(),
                ssdDirs.stream()
                        .filter(ssd -> !ssd.isSuspect())
                        .mapToLong(SsdDir::capacityBytes)
                        .sum(),
                ssdDirs.stream().mapToLong(SsdDir::usedBytes).sum(),
                ssdDirs.stream().mapToLong(SsdDir::writtenBytes).sum(),
                counts.copiedSegments(),
                counts.copiedBytes(),
                counts.copyFailures(),
                settings.mode() == TierMode.PAUSED
                        ? 0
                        : hdds.stream().mapToLong(Hdd::copyBytesPerSecond).sum(),
                census.lag(),
                census.quarantine(),
                counts.evictedSegments(),
                counts.evictedBytes(),
                counts.placedOnHdd(),
                ssdDirs.stream().mapToLong(SsdDir::spilledSegments).sum(),
                ssdDirs.stream().filter(SsdDir::isSuspect).count(),
                use(Device.SSD),
                use(Device.HDD),
                hdds.stream().map(hdd -> hdd.counts().hddWaits()).reduce(ReadWaits.NONE, ReadWaits::plus),
                coldReaders.stats(),
                shadow.stats());
    }

    private DeviceStats use(Device device) {
        return hdds.stream().map(hdd -> hdd.counts().use(device)).reduce(DeviceStats.NONE, DeviceStats::plus);
    }

    /** The counts of one walk over all segments. Not thread safe: the walking thread makes and reads it. */
    private static final class Census {
        private final long nowNanos;
        private final Map<SegmentState, Long> segments = TierSnapshot.zeros();
        private final Map<SegmentState, Long> bytes = TierSnapshot.zeros();
        private long quarantine;
        private long waiting;
        private long waitingBytes;
        private long longestWaitNanos;

        Census(long nowNanos) {
            this.nowNanos = nowNanos;
        }

        void count(Segment segment) {
            SegmentState state = segment.state();
            long sizeBytes = segment.storage().sizeBytes();
            segments.merge(state, 1L, Long::sum);
            bytes.merge(state, sizeBytes, Long::sum);
            if (segment.isQuarantined()) {
                quarantine++;
            } else if (segment.isWaiting()) {
                waiting++;
                waitingBytes += sizeBytes;
                longestWaitNanos =
                        Math.max(longestWaitNanos, nowNanos - segment.life().waitingSinceNanos());
            }
        }

        Map<SegmentState, Long> segments() {
            return segments;
        }

        Map<SegmentState, Long> bytes() {
            return bytes;
        }

        long quarantine() {
            return quarantine;
        }

        CopyLag lag() {
            return new CopyLag(waiting, waitingBytes, TimeUnit.NANOSECONDS.toMillis(longestWaitNanos));
        }
    }
}
