/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.disk.CopyBudget;
import io.evenkeel.tiered.disk.EvictionPolicy;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.Placement;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.Watermarks;
import io.evenkeel.tiered.file.FileOps;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The SSD tier in virtual time, with the decisions of the room {@code disk}. Not thread safe.
 *
 * <p>Each HDD has one log directory. A segment that began on the HDD stays there; a broker may end it early.
 */
final class TierStore implements Store {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long BURST_NANOS = SECOND / 10;
    private static final long CHUNK_BYTES = 8 << 20;
    /** Of a 7200 rpm disk for one read, without a queue. */
    private static final double SERVICE_NANOS = 10e6;
    /** An HDD that has more to do than it can still does a little of everything. */
    private static final double BUSIEST = 0.95;

    private final class Segment {
        final Disk disk;
        final long key;
        final SsdDir ssd;
        final SpaceReservation space;
        long bytes;
        long copiedBytes;
        long lastSeconds;

        Segment(Disk disk, long key, SsdDir ssd) {
            this.disk = disk;
            this.key = key;
            this.ssd = ssd;
            this.space = new SpaceReservation(ssd, SpaceReservation.firstStepBytes(load.segmentBytes()), 0);
        }

        void leave() {
            ssd.addReserved(-space.release(), 0);
            onSsds.remove(key);
        }
    }

    /** An HDD, its log directory and its copier. */
    private final class Disk {
        final Hdd hdd = new Hdd(() -> 0, settings.copyMinBytesPerSecond());
        final LogDir logDir;
        final CopyBudget budget;
        final Queue<Segment> toCopy = new ArrayDeque<>();
        double readAndAppended;
        double otherBytesPerSecond;
        long copyingUntil;

        Disk(int index, List<SsdDir> ssds, int count) {
            logDir = new LogDir(Path.of("hdd" + index), "id-" + index, hdd, LogDir.dealt(ssds, index, count));
            hdd.add(logDir);
            budget = new CopyBudget(hdd, new DeviceCeilings().of(index), BURST_NANOS);
        }

        void copy(long nowNanos) {
            double busy = Math.min(BUSIEST, otherBytesPerSecond / machine.hddBytesPerSecond());
            double copyBusy = toCopy.isEmpty() ? 0 : 2.0 * hdd.copyBytesPerSecond() / machine.hddBytesPerSecond();
            if (otherBytesPerSecond > 0) {
                hdd.counts().waited((long) (SERVICE_NANOS / (1 - Math.min(BUSIEST, busy + copyBusy))));
            }
            long now = Math.max(nowNanos, copyingUntil);
            while (now < nowNanos + SECOND) {
                long waitNanos = budget.waitNanos(settings, now);
                Segment segment = toCopy.peek();
                if (segment == null || waitNanos > 0) {
                    now += Math.max(waitNanos, segment == null ? SECOND : 0);
                    continue;
                }
                now += copyChunk(segment, machine.hddBytesPerSecond() * (1 - busy), now);
            }
            copyingUntil = now;
        }

        /** Returns the time that it takes. */
        private long copyChunk(Segment segment, double bytesPerSecond, long now) {
            long bytes = Math.min(CHUNK_BYTES, segment.bytes - segment.copiedBytes);
            budget.written(bytes, now);
            budget.readBack(bytes, now);
            segment.copiedBytes += bytes;
            traffic.copied += bytes;
            traffic.ssdRead += bytes;
            traffic.hddWritten += bytes;
            traffic.hddRead += bytes;
            if (segment.copiedBytes == segment.bytes) {
                toCopy.remove();
                segment.space.cached(true);
                evictable
                        .computeIfAbsent(segment.ssd, any -> new ArrayList<>())
                        .add(new EvictionPolicy.Candidate<>(segment, segment.lastSeconds * 1000, segment.bytes));
            }
            return (long) (2 * bytes / bytesPerSecond * SECOND);
        }
    }

    private final Load load;
    private final Machine machine;
    private final DynamicTierSettings settings;
    private final Traffic traffic;
    private final Placement placement;
    private final List<SsdDir> ssds = new ArrayList<>();
    private final List<Disk> disks = new ArrayList<>();
    private final Map<Long, Segment> onSsds = new HashMap<>();
    private final Map<SsdDir, List<EvictionPolicy.Candidate<Segment>>> evictable = new HashMap<>();
    /** Of each partition, the segment that is appended to: its number, and itself when it is on an SSD. */
    private final long[] numbers;

    private final @Nullable Segment[] active;

    TierStore(Load load, Machine machine, DynamicTierSettings settings, Traffic traffic) {
        this.load = load;
        this.machine = machine;
        this.settings = settings;
        this.traffic = traffic;
        placement = new Placement(() -> settings, () -> 0);
        numbers = new long[load.partitions()];
        active = new Segment[load.partitions()];
        for (int i = 0; i < machine.ssds(); i++) {
            ssds.add(new SsdDir(new NoFiles(), Path.of("ssd" + i), machine.ssdBytes()));
        }
        for (int i = 0; i < machine.hdds(); i++) {
            disks.add(new Disk(i, ssds, machine.hdds()));
        }
    }

    /** Nobody else uses the file systems. */
    private static final class NoFiles extends FileOps {
        @Override
        public long usableBytes(Path dir) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void append(int partition, long from, long to, long nowSeconds) {
        for (long at = from; at < to; ) {
            long number = at / load.segmentBytes();
            long end = Math.min(to, (number + 1) * load.segmentBytes());
            if (numbers[partition] != number + 1) {
                roll(partition, number);
            }
            append(partition, end - at, nowSeconds);
            at = end;
        }
    }

    private void roll(int partition, long number) {
        Segment sealed = active[partition];
        if (sealed != null) {
            sealed.space.trim(sealed.bytes);
            sealed.disk.toCopy.add(sealed);
        }
        numbers[partition] = number + 1;
        active[partition] = null;
        Disk disk = disks.get(partition % disks.size());
        if (placement.hddReason(Path.of("topic-" + partition), null) != null) {
            return;
        }
        SsdDir ssd = disk.logDir.reserve(
                SpaceReservation.firstStepBytes(load.segmentBytes()), SpaceReservation.roomBytes(load.segmentBytes()));
        if (ssd == null) {
            traffic.refused++;
            return;
        }
        Segment begun = new Segment(disk, key(partition, number), ssd);
        onSsds.put(begun.key, begun);
        active[partition] = begun;
    }

    private void append(int partition, long bytes, long nowSeconds) {
        Disk disk = disks.get(partition % disks.size());
        disk.hdd.appended(bytes);
        Segment segment = active[partition];
        if (segment != null && !segment.space.grow(segment.bytes + bytes, load.segmentBytes())) {
            segment.leave();
            active[partition] = null;
            traffic.refused++;
            traffic.hddWritten += segment.bytes;
            segment = null;
        }
        if (segment == null) {
            traffic.hddWritten += bytes;
            disk.readAndAppended += bytes;
            return;
        }
        segment.bytes += bytes;
        segment.lastSeconds = nowSeconds;
        segment.space.holds(segment.bytes);
        traffic.ssdWritten += bytes;
    }

    @Override
    public void read(int partition, long from, long to) {
        for (long at = from; at < to; ) {
            long end = Math.min(to, (at / load.segmentBytes() + 1) * load.segmentBytes());
            if (isOnSsd(partition, at)) {
                traffic.readSsd((double) (end - at));
            } else {
                traffic.readHdd((double) (end - at));
                disks.get(partition % disks.size()).readAndAppended += end - at;
            }
            at = end;
        }
    }

    @Override
    public boolean isOnSsd(int partition, long position) {
        return onSsds.containsKey(key(partition, position / load.segmentBytes()));
    }

    @Override
    public void work(long nowSeconds) {
        for (Disk disk : disks) {
            if (nowSeconds % Replay.READ_SECONDS == 0) {
                disk.otherBytesPerSecond = disk.readAndAppended / Replay.READ_SECONDS;
                disk.readAndAppended = 0;
            }
            disk.copy(nowSeconds * SECOND);
        }
        ssds.forEach(ssd -> evict(ssd, nowSeconds));
    }

    private void evict(SsdDir ssd, long nowSeconds) {
        long excessBytes = Watermarks.of(ssd, settings, ssd.takeRefused()).excessBytes(ssd.heldBytes());
        List<EvictionPolicy.Candidate<Segment>> candidates = evictable.get(ssd);
        if (excessBytes == 0 || candidates == null) {
            return;
        }
        Set<Segment> victims = new HashSet<>(EvictionPolicy.victims(candidates, excessBytes, nowSeconds * 1000));
        for (Segment victim : victims) {
            victim.leave();
            traffic.evict((double) victim.bytes);
        }
        candidates.removeIf(candidate -> victims.contains(candidate.segment()));
    }

    private static long key(int partition, long number) {
        return (long) partition << 40 | number;
    }
}
