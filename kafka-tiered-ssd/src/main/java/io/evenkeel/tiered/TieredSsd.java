/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TierSnapshot;
import io.evenkeel.tiered.coldread.ColdReader;
import io.evenkeel.tiered.coldread.ColdReaders;
import io.evenkeel.tiered.disk.CopyBudget;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.Placement;
import io.evenkeel.tiered.disk.ShadowSsds;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.recovery.DiskScan;
import io.evenkeel.tiered.recovery.IncompleteReplicas;
import io.evenkeel.tiered.recovery.Recovery;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The SSD tier of one broker: its parts, wired together. Thread safe.
 *
 * <p>There is no orderly shutdown. The process may end at any instant, and the next start cleans up.
 */
public final class TieredSsd {
    private final FileOps files;
    private final TierListener listener;
    private volatile DynamicTierSettings dynamic;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;
    private final List<SsdDir> ssdDirs;
    private final Map<Path, LogDir> logDirs = new LinkedHashMap<>();
    private final Map<Object, Hdd> hdds = new LinkedHashMap<>();
    private final Map<Hdd, CopyQueue> copyQueues = new HashMap<>();
    private final SegmentMap segments = new SegmentMap(this::toCopy);
    private final TierCounts counts = new TierCounts();
    private final ColdReaders coldReaders;
    private final ShadowSsds shadow;
    private final Overview overview;
    private final Placement placement;
    private final SegmentFiles segmentFiles;
    private final SegmentOpening opening;
    private final DiskEnsemble disks;
    private final IncompleteReplicas incomplete;

    /**
     * Makes both devices agree, and claims SSDs that are new.
     *
     * @param dirs the log directories that are readable; not empty
     * @param nanoClock as {@link System#nanoTime()}, and the same clock that the workers' steps get their time from
     * @param random used by several workers at a time
     * @param scan of the disks as they are now
     * @throws IOException when a directory is not usable, or a file is missing that the disks should hold
     */
    public TieredSsd(
            TierSettings settings,
            List<LogDirMeta> dirs,
            FileOps files,
            TierListener listener,
            LongSupplier nanoClock,
            RandomGenerator random,
            DiskScan.Source scan)
            throws IOException {
        this.files = files;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.random = random;
        this.dynamic = settings.dynamic();
        this.ssdDirs = SsdDir.of(files, settings);
        for (LogDirMeta dir : dirs) {
            List<SsdDir> dealt = LogDir.dealt(ssdDirs, logDirs.size(), dirs.size());
            Hdd hdd = hdds.computeIfAbsent(
                    files.device(dir.path()), device -> new Hdd(nanoClock, dynamic.copyCeiling(0)));
            LogDir logDir = new LogDir(dir.path(), dir.directoryId(), hdd, dealt);
            hdd.add(logDir);
            copyQueues.computeIfAbsent(hdd, any -> new CopyQueue());
            logDirs.put(dir.path(), logDir);
        }
        this.placement = new Placement(this::dynamic, nanoClock);
        this.coldReaders = new ColdReaders(hdds.values(), ssdDirs, settings, nanoClock);
        this.shadow = new ShadowSsds(settings, List.copyOf(logDirs.values()), placement, this::dynamic, nanoClock);
        this.overview = new Overview(segments, ssdDirs, hdds.values(), counts, coldReaders, shadow);
        this.disks = new DiskEnsemble(files, settings.ssdDirs(), dirs);
        Recovery recovery = new Recovery(files, settings, List.copyOf(logDirs.values()), ssdDirs, disks);
        ConcurrentHashMap<Path, SsdCopy> recoveredCopies = recovery.run(scan, listener);
        this.incomplete = recovery.incomplete();
        this.segmentFiles = new SegmentFiles(files, ssdDirs, listener);
        this.opening = new SegmentOpening(
                files, segmentFiles, segments, placement, recoveredCopies, counts, coldReaders, shadow, listener);
    }

    /** The same; it scans the disks itself. */
    public TieredSsd(
            TierSettings settings,
            List<LogDirMeta> dirs,
            FileOps files,
            TierListener listener,
            LongSupplier nanoClock,
            RandomGenerator random)
            throws IOException {
        this(settings, dirs, files, listener, nanoClock, random, () -> DiskScan.read(dirs, settings.ssdDirs()));
    }

    DynamicTierSettings dynamic() {
        return dynamic;
    }

    /**
     * Takes other settings over; each worker uses them from its next step on. An SSD that a drain has released, and
     * that cannot be claimed again, is suspect from then on: no disk keeps the settings from changing.
     */
    public void reconfigure(DynamicTierSettings changed) {
        coldReaders.reconfigure(changed, nanoClock.getAsLong());
        if (dynamic.mode() == TierMode.DRAIN && changed.mode() != TierMode.DRAIN) {
            disks.claim(() -> dynamic = changed, this::cannotClaim);
        } else {
            dynamic = changed;
        }
    }

    private void cannotClaim(Path dir, IOException failure) {
        ssdDirs.stream().filter(ssd -> ssd.path().equals(dir)).forEach(ssd -> ssd.suspect(dir, failure, listener));
        if (logDirs.containsKey(dir)) {
            listener.leftAsItIs(dir.resolve(IdentityFile.FILE_NAME), failure);
        }
    }

    /** This broker leads or follows a partition from now on; to be called before segments are created for it. */
    public void role(String partition, boolean leader) {
        placement.role(partition, leader);
    }

    /** This broker follows a partition from now on, as one of its in-sync replicas or as one that catches up. */
    public void follows(String partition, boolean inSync) {
        placement.follows(partition, inSync);
    }

    /**
     * The file that says why this broker's replica must not lead now: its tail was truncated after the loss of an SSD,
     * and no leader has sent those records again. Null when it may lead.
     *
     * @param replicas the number of replicas of the partition
     * @param inSync the number of replicas that the controller takes for complete
     */
    public @Nullable Path mustNotLead(String partition, int replicas, int inSync) throws IOException {
        return incomplete.mustNotLead(files, partition, replicas, inSync);
    }

    /** This broker has no replica of a partition any more. */
    public void left(String partition) {
        placement.left(partition);
    }

    /**
     * True when Kafka should roll before the next append to the active segment behind {@code channel}, because the new
     * segment would go to another device. Quick: called for each append.
     *
     * @param appendBytes the size of the append
     */
    public boolean shouldRoll(FileChannel channel, long appendBytes) {
        Segment active = segmentOf(channel);
        return active != null && EarlyRolls.shouldRoll(placement, active, appendBytes);
    }

    /**
     * The steps to run in the background, by the name of the worker that runs them: a copier for each HDD, an evictor
     * for each SSD directory, and one drain.
     *
     * @param ceilings of all writes to a device; the copies to HDDs count as well
     * @param wallClockMs the clock that the file systems use, in ms since 1970
     */
    public Map<String, Worker.Step> workers(DeviceCeilings ceilings, LongSupplier wallClockMs) {
        Map<String, Worker.Step> workers = new LinkedHashMap<>(shadow.workers());
        hdds.forEach((device, hdd) -> {
            CopyBudget budget = new CopyBudget(hdd, ceilings.of(device), CopyBudget.BURST_NANOS);
            SegmentCopier copier = new SegmentCopier(
                    files, copyQueue(hdd), budget, new Backoff(random), this::dynamic, listener, counts);
            workers.put("copier " + hdd, copier::step);
        });
        for (SsdDir ssd : ssdDirs) {
            Evictor evictor =
                    new Evictor(files, ssd, this::dynamic, segments, this::toCopy, wallClockMs, listener, counts);
            workers.put("evictor " + ssd, evictor::step);
        }
        workers.put("drain", new Drain(this::dynamic, disks, ssdDirs, segments, this::toCopy, listener)::step);
        return workers;
    }

    /** As {@link ColdReaders#toStart}. */
    public Map<String, ColdReader> coldReaders() {
        return coldReaders.toStart();
    }

    private void toCopy(Segment segment) {
        copyQueue(segment.logDir().hdd()).offer(segment);
    }

    private CopyQueue copyQueue(Hdd hdd) {
        return Objects.requireNonNull(copyQueues.get(hdd), "not one of this tier's HDDs");
    }

    /**
     * Opens a segment for Kafka.
     *
     * @return null when the tier does not handle the file, and stock Kafka should open it
     */
    public @Nullable FileChannel open(Path file, OpenRequest request) throws IOException {
        Path partition = SegmentFileName.dirOf(file);
        LogDir logDir = logDirs.get(SegmentFileName.dirOf(partition));
        SegmentFileName name = SegmentFileName.parse(file);
        if (logDir == null || name == null || !SegmentFileName.isTiered(partition)) {
            return null;
        }
        Segment segment = opening.open(logDir, file, name, request);
        if (segment == null) {
            return null;
        }
        if (name.isLive()) {
            segments.add(segment, nanoClock.getAsLong());
        }
        return segment.channel();
    }

    /** Kafka is about to rename a segment's file. */
    public void renaming(FileChannel channel) {
        Segment segment = segmentOf(channel);
        if (segment != null) {
            segment.renaming();
        }
    }

    /** Kafka has renamed a segment's file, or the directory it is in. */
    public void renamed(FileChannel channel, Path newPath) {
        Segment segment = segmentOf(channel);
        if (segment == null) {
            return;
        }
        segments.remove(segment.name().dir(), segment);
        segment.renamed(newPath);
        if (segment.name().isLive()) {
            segments.add(segment, nanoClock.getAsLong());
        }
    }

    /** Kafka has closed and deleted a segment's file. */
    public void deleted(FileChannel channel) throws IOException {
        Segment segment = segmentOf(channel);
        if (segment != null) {
            segments.remove(segment.name().dir(), segment);
            SegmentDeletion.run(segment, files, segmentFiles, listener);
        }
    }

    private static @Nullable Segment segmentOf(FileChannel channel) {
        return channel instanceof TieredFileChannel tiered && tiered.owner() instanceof Segment segment
                ? segment
                : null;
    }

    /** The present state of the tier. Walks all segments. */
    public TierSnapshot snapshot() {
        return overview.snapshot(dynamic, nanoClock.getAsLong());
    }

    /** For tests: every live segment's state by its path. */
    Map<Path, SegmentState> states() {
        Map<Path, SegmentState> states = new HashMap<>();
        segments.forEach(segment -> states.put(segment.path(), segment.state()));
        return states;
    }

    /** For tests: the bytes that can be evicted, as the SSD directories count them. */
    long cachedBytes() {
        return ssdDirs.stream().mapToLong(SsdDir::cachedBytes).sum();
    }
}
