/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.ShadowStats;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The SSDs of a tier in the shadow: they are only imagined, and empty at the start. Placement, space and eviction
 * follow the rules of the tier, in its own classes; a copy takes no time. Thread safe.
 */
public final class ShadowSsds {
    private final Placement placement;
    private final Supplier<DynamicTierSettings> settings;
    private final LongSupplier nanoClock;
    private final List<SsdDir> ssds;
    private final Map<LogDir, LogDir> imagined = new HashMap<>();
    private final Set<ShadowFile> files = ConcurrentHashMap.newKeySet();
    private final ReadStats reads;
    private final LongAdder evictedSegments = new LongAdder();
    private final LongAdder evictedBytes = new LongAdder();
    private final LongAdder refusedSegments = new LongAdder();

    /** No other program takes space on an SSD that is not there. */
    private static final class Unlimited extends FileOps {
        @Override
        public long usableBytes(Path path) {
            return Long.MAX_VALUE;
        }
    }

    /** @param logDirs in the order in which they get their SSDs */
    public ShadowSsds(
            TierSettings tier,
            List<LogDir> logDirs,
            Placement placement,
            Supplier<DynamicTierSettings> settings,
            LongSupplier nanoClock) {
        this.placement = placement;
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.reads = new ReadStats(nanoClock);
        FileOps unlimited = new Unlimited();
        this.ssds = IntStream.range(0, tier.shadowSsds())
                .mapToObj(i -> new SsdDir(unlimited, Path.of("shadow-" + i), tier.capacityBytes()))
                .toList();
        for (LogDir logDir : logDirs) {
            List<SsdDir> dealt = LogDir.dealt(ssds, imagined.size(), logDirs.size());
            imagined.put(logDir, new LogDir(logDir.path(), logDir.id(), logDir.hdd(), dealt));
        }
    }

    private boolean areThere() {
        return !ssds.isEmpty();
    }

    /**
     * Kafka has opened a live segment.
     *
     * @param isNew whether Kafka has just created it; all others would be on the HDD
     * @return null when there is no shadow
     */
    public @Nullable ShadowFile open(LogDir logDir, Path partition, OpenRequest request, boolean isNew) {
        if (!areThere()) {
            return null;
        }
        ShadowFile file = new ShadowFile(this, Objects.requireNonNull(imagined.get(logDir)), partition, request);
        if (isNew && placement.hddReason(partition, request.followerPlacement()) == null && !begin(file, 0)) {
            refusedSegments.increment();
        }
        return file;
    }

    private boolean begin(ShadowFile file, long position) {
        boolean begun = file.begin(position);
        if (begun) {
            files.add(file);
        }
        return begun;
    }

    /** The file is on the HDD; the next append may be where the tier would roll, to go on on an SSD. */
    void mayBegin(ShadowFile file, long position) {
        if (placement.shouldMoveToSsd(file.logDir(), file.partition(), file.request(), position, null)) {
            begin(file, position);
        }
    }

    void forget(ShadowFile file) {
        files.remove(file);
    }

    /** Kafka has read bytes; so many of them would have been on an SSD. */
    void read(long ssdBytes, long bytes, long nanos) {
        if (ssdBytes > 0) {
            reads.served(Device.SSD, ssdBytes);
        }
        if (ssdBytes < bytes) {
            reads.served(Device.HDD, bytes - ssdBytes);
        } else {
            reads.waited(nanos); // a wait that the SSD would have saved
        }
    }

    /** The step that evicts, as the tier would; none when there is no shadow. */
    public Map<String, Worker.Step> workers() {
        return areThere() ? Map.of("shadow", nowNanos -> evict()) : Map.of();
    }

    private long evict() {
        ssds.forEach(this::evict);
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    private void evict(SsdDir ssd) {
        long excessBytes = Watermarks.of(ssd, settings.get(), ssd.takeRefused()).excessBytes(ssd.heldBytes());
        if (excessBytes == 0) {
            return;
        }
        List<EvictionPolicy.Candidate<ShadowFile>> sealed = candidates(ssd, ShadowFile::isSealed);
        List<ShadowFile> victims = new ArrayList<>(EvictionPolicy.victims(sealed, excessBytes, nowMs()));
        long quietBytes = excessBytes
                - sealed.stream().mapToLong(EvictionPolicy.Candidate::sizeBytes).sum();
        if (quietBytes > 0) {
            victims.addAll(EvictionPolicy.victims(candidates(ssd, this::isQuiet), quietBytes, nowMs()));
        }
        for (ShadowFile victim : victims) {
            evictedBytes.add(victim.leave());
            evictedSegments.increment();
        }
    }

    private boolean isQuiet(ShadowFile file) {
        return !file.isSealed() && file.sizeBytes() > 0 && EvictionPolicy.isQuiet(file.lastAppendMs(), nowMs());
    }

    private List<EvictionPolicy.Candidate<ShadowFile>> candidates(SsdDir ssd, Predicate<ShadowFile> wanted) {
        return files.stream()
                .filter(file -> file.isOn(ssd) && wanted.test(file))
                .map(file -> new EvictionPolicy.Candidate<>(file, file.lastAppendMs(), file.sizeBytes()))
                .toList();
    }

    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
    }

    public ShadowStats stats() {
        return new ShadowStats(
                ssds.stream().mapToLong(SsdDir::capacityBytes).sum(),
                ssds.stream().mapToLong(SsdDir::heldBytes).sum(),
                reads.use(Device.SSD),
                reads.use(Device.HDD),
                reads.hddWaits(),
                evictedSegments.sum(),
                evictedBytes.sum(),
                refusedSegments.sum());
    }
}
