/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.RateLimiter;
import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TierSnapshot;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.recovery.DiskScan;
import io.evenkeel.tiered.recovery.IncompleteReplicas;
import io.evenkeel.tiered.recovery.Recovery;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The SSD tier of one broker: the parts, wired. Thread safe.
 *
 * <p>There is no orderly shutdown: whatever is under way may be cut off at any instant, and the next start cleans up.
 */
public final class TieredSsd {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FileOps files;
    private final TierListener listener;
    private volatile DynamicTierSettings dynamic;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;
    private final RateLimiter copyRate;
    private final List<SsdDir> ssdDirs;
    private final Map<Path, LogDir> logDirs = new LinkedHashMap<>();
    private final Map<Object, Hdd> hdds = new LinkedHashMap<>();
    private final SegmentFiles opener;
    private final Map<Hdd, CopyQueue> copyQueues = new HashMap<>();
    private final SegmentMap segments = new SegmentMap(this::toCopy);
    private final ConcurrentHashMap<Path, SsdCopy> recoveredCopies;
    private final TierCounts counts = new TierCounts();
    private final Overview overview;
    private final Placement placement = new Placement(this::dynamic);
    private final DiskEnsemble marks;
    private final IncompleteReplicas incomplete;

    /**
     * Makes both devices agree, and claims SSDs that are new.
     *
     * @param dirs the log directories that are readable; not empty
     * @param nanoClock as {@link System#nanoTime()}, and the same that the workers' steps are told
     * @param random used by several workers at a time
     * @param look at the disks as they are now
     * @throws IOException when a directory is not what it should be, or the disks lack what they promise
     */
    public TieredSsd(
            TierSettings settings,
            List<LogDirMeta> dirs,
            FileOps files,
            TierListener listener,
            LongSupplier nanoClock,
            RandomGenerator random,
            DiskScan.Source look)
            throws IOException {
        this.files = files;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.random = random;
        this.dynamic = settings.dynamic();
        this.copyRate = new RateLimiter(dynamic.copyBytesPerSecond(), BURST_NANOS);
        this.ssdDirs = settings.ssdDirs().stream()
                .map(path -> new SsdDir(files, path, settings.capacityBytes()))
                .toList();
        for (LogDirMeta dir : dirs) {
            List<SsdDir> dealt = LogDir.dealt(ssdDirs, logDirs.size(), dirs.size());
            Hdd hdd = hdds.computeIfAbsent(
                    files.device(dir.path()), device -> new Hdd(nanoClock, dynamic.copyBytesPerSecond()));
            LogDir logDir = new LogDir(dir.path(), dir.directoryId(), hdd, dealt);
            hdd.add(logDir);
            copyQueues.computeIfAbsent(hdd, any -> new CopyQueue());
            logDirs.put(dir.path(), logDir);
        }
        this.overview = new Overview(segments, ssdDirs, hdds.values(), counts);
        this.opener = new SegmentFiles(files, ssdDirs, listener);
        this.marks = new DiskEnsemble(files, settings.ssdDirs(), dirs);
        Recovery recovery = new Recovery(files, settings, List.copyOf(logDirs.values()), ssdDirs, marks, listener);
        this.recoveredCopies = recovery.run(look);
        this.incomplete = recovery.incomplete();
    }

    /** The same, with a look at the disks when their turn has come. */
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
     * Takes other settings over; they hold from the next step of each worker on.
     *
     * @throws IOException when the SSDs, given up by a drain, cannot be claimed again; nothing has changed then
     */
    public void reconfigure(DynamicTierSettings changed) throws IOException {
        if (changed.mode() != TierMode.DRAIN) {
            marks.claim();
        }
        dynamic = changed;
    }

    /** This broker leads or follows a partition from now on; to be told before segments are created for it. */
    public void role(String partition, boolean leader) {
        placement.role(partition, leader);
    }

    /**
     * Why this broker's replica must not lead now: the mark in its directory says that it has given up records, and no
     * leader has given them back yet. Null when it may lead.
     *
     * @param replicas how many the partition has
     * @param inSync how many of them the controller takes for complete
     */
    public @Nullable Path mustNotLead(String partition, int replicas, int inSync) throws IOException {
        return incomplete.mustNotLead(files, partition, replicas, inSync);
    }

    /** This broker has no replica of a partition any more. */
    public void left(String partition) {
        placement.left(partition);
    }

    /**
     * True when the next append to the active segment behind {@code channel} should begin a new one, on another device.
     * Quick: asked for each append.
     *
     * @param dataTimeMs the newest timestamp of what is about to be appended, or {@link OpenRequest#UNKNOWN_TIME}
     */
    public boolean shouldRoll(FileChannel channel, long dataTimeMs) {
        Segment active = segmentOf(channel);
        return active != null && placement.shouldRoll(active, dataTimeMs);
    }

    /**
     * What has to run in the background, by the name of the worker that runs it: a copier for each HDD, an evictor for
     * each SSD, and a drain.
     *
     * @param ceilings count the copies to HDDs, too
     */
    public Map<String, Worker.Step> workers(DeviceCeilings ceilings) {
        Map<String, Worker.Step> workers = new LinkedHashMap<>();
        hdds.forEach((device, hdd) -> {
            CopyBudget budget = new CopyBudget(hdd, copyRate, ceilings.of(device), BURST_NANOS);
            SegmentCopier copier = new SegmentCopier(
                    files, copyQueue(hdd), budget, new Backoff(random), this::dynamic, listener, counts);
            workers.put("copier " + hdd, copier::step);
        });
        for (SsdDir ssd : ssdDirs) {
            Evictor evictor = new Evictor(files, ssd, this::dynamic, segments, listener, counts);
            workers.put("evictor " + ssd, evictor::step);
        }
        Drain drain = new Drain(files, this::dynamic, logDirs.values(), ssdDirs, segments, this::toCopy, listener);
        workers.put("drain", drain::step);
        return workers;
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
     * @return null when the file is not the tier's business, and stock should open it
     */
    public @Nullable FileChannel open(Path file, OpenRequest request) throws IOException {
        Path partition = SegmentFileName.dirOf(file);
        LogDir logDir = logDirs.get(SegmentFileName.dirOf(partition));
        SegmentFileName name = SegmentFileName.parse(file);
        if (logDir == null || name == null || !SegmentFileName.isTiered(partition)) {
            return null;
        }
        OpenedFile opened = open(logDir, partition, file, name, request);
        if (opened == null) {
            return null;
        }
        Segment segment = new Segment(files, logDir, name, opened, request, listener);
        if (name.isLive()) {
            segments.add(segment, nanoClock.getAsLong());
        }
        return segment.channel();
    }

    private @Nullable OpenedFile open(
            LogDir logDir, Path partition, Path file, SegmentFileName name, OpenRequest request) throws IOException {
        SsdCopy copy = takeCopy(partition, file, name);
        OpenedFile onHddAlone = copy == null ? opener.realFile(file) : null;
        if (onHddAlone != null) {
            return onHddAlone;
        }
        BasicFileAttributes found = FileReads.attributes(file);
        if (found != null) {
            return opener.existing(file, found, copy, request.segmentBytes());
        }
        if (copy != null) {
            opener.drop(copy.ssdFile(), file);
        }
        return create(logDir, partition, file, name, request);
    }

    /** The SSD file of a live segment that was found at the start, or that was open under this path before. */
    private @Nullable SsdCopy takeCopy(Path partition, Path file, SegmentFileName name) {
        if (!name.isLive()) {
            return null;
        }
        Segment previous = segments.find(partition, name.baseOffset());
        if (previous != null && previous.isClosed()) {
            SsdFile onSsd = previous.handOver();
            return onSsd == null ? null : new SsdCopy(onSsd, null);
        }
        return recoveredCopies.remove(file);
    }

    private OpenedFile create(LogDir logDir, Path partition, Path file, SegmentFileName name, OpenRequest request)
            throws IOException {
        HddReason reason = name.isLive()
                ? placement.hddReason(logDir, partition, request.followerPlacement(), request.dataTimeMs())
                : HddReason.NOT_LIVE;
        String why = "";
        if (reason == null) {
            long bytes = request.segmentBytes();
            SsdDir ssd = logDir.promise(bytes);
            if (ssd != null) {
                try {
                    return opener.newOnSsd(file, ssd, logDir.onSsd(ssd, partition), bytes, request.preallocateBytes());
                } catch (IOException e) {
                    ssd.book(-bytes, -bytes);
                    why = " (" + e + ")";
                }
            }
            reason = ssd == null && !logDir.hasNoSsdLeft() ? HddReason.NO_ROOM : HddReason.SSD_FAILED;
            listener.placedOnHdd(file, reason + why);
        }
        counts.placedOnHdd(reason);
        return opener.newOnHdd(file, request.preallocateBytes(), reason);
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
        if (segment == null) {
            return;
        }
        segments.remove(segment.name().dir(), segment);
        SsdFile ssdFile = segment.ssdFile();
        segment.deleted();
        if (ssdFile != null && SegmentFileName.isDying(segment.name().dir())) {
            files.deleteDirectoryIfEmpty(SegmentFileName.dirOf(ssdFile.path()));
        }
    }

    private static @Nullable Segment segmentOf(FileChannel channel) {
        return channel instanceof TieredFileChannel tiered && tiered.owner() instanceof Segment segment
                ? segment
                : null;
    }

    /** What is where now. Walks all segments. */
    public TierSnapshot snapshot() {
        return overview.snapshot(dynamic, nanoClock.getAsLong());
    }

    /** For tests: every live segment's state by its path. */
    Map<Path, SegmentState> states() {
        Map<Path, SegmentState> states = new HashMap<>();
        segments.forEach(segment -> states.put(segment.path(), segment.state()));
        return states;
    }

    /** For tests: what can be evicted by the SSDs' own books. */
    long cachedBytes() {
        return ssdDirs.stream().mapToLong(SsdDir::cachedBytes).sum();
    }
}
