/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.kafkapatches.core.RateLimiter;
import io.kafkapatches.core.Worker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The SSD tier of one broker: the parts, wired. Thread safe.
 *
 * <p>There is no orderly shutdown: whatever is under way may be cut off at any instant, and the next start cleans up.
 */
public final class TieredSsd {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FileLayer files;
    private final TierListener listener;
    private final TieredSettings settings;
    private volatile DynamicSettings dynamic;
    private final RateLimiter syncRate;
    private final List<SsdDir> ssdDirs;
    private final Map<Path, LogDir> logDirs = new LinkedHashMap<>();
    private final SegmentOpener opener;
    private final SegmentMap segments = new SegmentMap();
    private final ConcurrentHashMap<Path, SsdFile> recoveredCopies;
    private final ReadCounts reads = new ReadCounts();
    private final Syncer.Counts synced = new Syncer.Counts();
    private final Evictor.Counts evicted = new Evictor.Counts();
    private final LongAdder placedOnHdd = new LongAdder();

    /**
     * Makes both devices agree, and claims SSDs that are new.
     *
     * @param dirs the log directories that are readable; not empty
     * @throws IOException when a directory is not what it should be, or the disks lack what they promise
     */
    public TieredSsd(TieredSettings settings, List<LogDirIdentity> dirs, FileLayer files, TierListener listener)
            throws IOException {
        this.files = files;
        this.listener = listener;
        this.settings = settings;
        this.dynamic = settings.dynamic();
        this.syncRate = new RateLimiter(dynamic.syncBytesPerSecond(), BURST_NANOS);
        this.ssdDirs = settings.ssdDirs().stream()
                .map(path -> new SsdDir(path, settings.capacityBytes()))
                .toList();
        for (SsdDir ssd : ssdDirs) {
            SsdIdentity.check(ssd.path(), dirs.get(0));
            requireRoom(ssd);
        }
        for (LogDirIdentity dir : dirs) {
            List<SsdDir> dealt = LogDir.dealt(ssdDirs, logDirs.size(), dirs.size());
            logDirs.put(dir.path(), new LogDir(dir.path(), dir.directoryId(), dealt));
        }
        this.opener = new SegmentOpener(files, ssdDirs);
        this.recoveredCopies =
                new ConcurrentHashMap<>(new Recovery(files, List.copyOf(logDirs.values()), ssdDirs).run());
        for (SsdDir ssd : ssdDirs) {
            SsdIdentity.claim(files, ssd.path(), dirs.get(0));
        }
    }

    private void requireRoom(SsdDir ssd) throws IOException {
        // Not by Files.getFileStore: in a chroot it looks for a mount point in vain. 0 means that nobody knows.
        long totalBytes = ssd.path().toFile().getTotalSpace();
        if (totalBytes > 0 && settings.capacityBytes() > totalBytes) {
            throw new IOException(TieredSettings.CAPACITY_BYTES + "=" + settings.capacityBytes() + " is more than the "
                    + totalBytes + " bytes of the file system that it is for: " + ssd.path());
        }
    }

    DynamicSettings dynamic() {
        return dynamic;
    }

    /** Takes other settings over; they hold from the next step of each worker on. */
    public void reconfigure(DynamicSettings changed) {
        dynamic = changed;
        syncRate.rate(changed.syncBytesPerSecond());
    }

    /**
     * What has to run in the background, by the name of the worker that runs it: a syncer for each log directory and an
     * evictor for each SSD.
     */
    public Map<String, Worker.Step> workers() {
        Map<String, Worker.Step> workers = new LinkedHashMap<>();
        for (LogDir logDir : logDirs.values()) {
            Syncer syncer = new Syncer(files, logDir.queue(), syncRate, this::dynamic, listener, synced);
            workers.put("syncer " + logDir, syncer::step);
        }
        for (SsdDir ssd : ssdDirs) {
            Evictor evictor = new Evictor(files, ssd, this::dynamic, segments, listener, evicted);
            workers.put("evictor " + ssd, evictor::step);
        }
        return workers;
    }

    /**
     * Opens a segment for Kafka.
     *
     * @param segmentBytes what the segment may grow to
     * @param preallocateBytes the length that a new file gets at once, or 0
     * @return null when the file is not the tier's business, and stock should open it
     */
    public @Nullable FileChannel open(Path file, long segmentBytes, long preallocateBytes) throws IOException {
        Path partition = file.resolveSibling("");
        LogDir logDir = logDirs.get(partition.resolveSibling(""));
        LogFileName name = LogFileName.parse(file);
        if (logDir == null || name == null || !LogFileName.isTiered(partition)) {
            return null;
        }
        SsdFile copy = takeCopy(partition, file, name);
        OpenedFile opened;
        if (Files.exists(file, NOFOLLOW_LINKS)) {
            opened = opener.existing(file, copy, segmentBytes);
        } else {
            if (copy != null) {
                files.deleteIfExists(copy.path());
            }
            opened = create(logDir, file, name, segmentBytes, preallocateBytes);
        }
        if (opened == null) {
            return null;
        }
        Segment segment = new Segment(files, logDir, name.baseOffset(), opened, reads);
        if (name.isLive()) {
            segments.add(segment);
        }
        return segment.channel();
    }

    /** The SSD file of a live segment that was found at the start, or that was open under this path before. */
    private @Nullable SsdFile takeCopy(Path partition, Path file, LogFileName name) {
        if (!name.isLive()) {
            return null;
        }
        Segment previous = segments.find(partition, name.baseOffset());
        if (previous != null && previous.isClosed()) {
            return previous.handOver();
        }
        return recoveredCopies.remove(file);
    }

    private OpenedFile create(LogDir logDir, Path file, LogFileName name, long segmentBytes, long preallocateBytes)
            throws IOException {
        Path partition = file.resolveSibling("");
        if (!name.isLive() || LogFileName.isFuture(partition) || LogFileName.isDying(partition)) {
            return opener.newOnHdd(file, preallocateBytes);
        }
        SsdDir ssd = logDir.promise(segmentBytes);
        String reason = "its SSDs have no room for another " + segmentBytes + " bytes";
        if (ssd != null) {
            try {
                return opener.newOnSsd(file, ssd, logDir.onSsd(ssd, partition), segmentBytes, preallocateBytes);
            } catch (IOException e) {
                ssd.book(-segmentBytes);
                reason = e.toString();
            }
        }
        placedOnHdd.increment();
        listener.placedOnHdd(file, reason);
        return opener.newOnHdd(file, preallocateBytes);
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
            segments.add(segment);
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
        if (ssdFile != null && LogFileName.isDying(segment.name().dir())) {
            Recovery.deleteIfEmpty(files, ssdFile.path().resolveSibling(""));
        }
    }

    private static @Nullable Segment segmentOf(FileChannel channel) {
        return channel instanceof TieredFileChannel tiered && tiered.owner() instanceof Segment segment
                ? segment
                : null;
    }

    /** What is where now. Walks all segments. */
    public TierSnapshot snapshot() {
        Map<SegmentState, Long> counts = TierSnapshot.zeros();
        Map<SegmentState, Long> bytes = TierSnapshot.zeros();
        segments.forEach(segment -> {
            SegmentState state = segment.state();
            counts.merge(state, 1L, Long::sum);
            bytes.merge(state, segment.sizeBytes(), Long::sum);
        });
        return new TierSnapshot(
                counts,
                bytes,
                ssdDirs.stream().mapToLong(SsdDir::usedBytes).sum(),
                synced.segments().sum(),
                synced.bytes().sum(),
                synced.failures().sum(),
                evicted.segments().sum(),
                evicted.bytes().sum(),
                placedOnHdd.sum(),
                reads.bytes(Device.SSD),
                reads.bytes(Device.HDD));
    }

    /** For tests: every live segment's state by its path. */
    Map<Path, SegmentState> states() {
        Map<Path, SegmentState> states = new HashMap<>();
        segments.forEach(segment -> states.put(segment.path(), segment.state()));
        return states;
    }
}
