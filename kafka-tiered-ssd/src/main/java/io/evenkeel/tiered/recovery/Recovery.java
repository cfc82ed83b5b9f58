/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.LinkFault;
import io.evenkeel.tiered.identity.SsdIdentity;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the disks agree before any log is loaded. Not thread safe; made for one start.
 *
 * <p>One rule settles every doubt: where the HDD path is a link, the SSD file is the truth; where it is a real file,
 * the HDD file is the truth, and the SSD file only a copy of it. First everything is looked at; if a link does not lead
 * to a file on the SSD that it was made for, the start is refused and nothing has been touched, or what is missing is
 * given up. Then leftovers, stale copies and orphans go. The marks of the new generation come last: until then, an SSD
 * that is stale must be known as such.
 */
public final class Recovery {
    private static final Path ROOT = Path.of("/");

    private final FileOps files;
    private final TierSettings settings;
    private final List<LogDir> logDirs;
    private final List<SsdDir> ssdDirs;
    private final DiskEnsemble marks;
    private final TierListener listener;

    private final List<String> problems = new ArrayList<>();
    private final List<BrokenLink> broken = new ArrayList<>();
    private final Leftovers garbage;
    /** Links by the SSD file they lead to. */
    private final Map<Path, Path> linked = new HashMap<>();

    /** The marks of partitions that gave up records in an earlier start. */
    private final Map<Path, Path> marked = new HashMap<>();

    private final IncompleteReplicas incomplete = new IncompleteReplicas();
    private final Map<Path, TailTruncation> lostTails = new LinkedHashMap<>();
    private final ConcurrentHashMap<Path, SsdCopy> copies = new ConcurrentHashMap<>();

    public Recovery(
            FileOps files,
            TierSettings settings,
            List<LogDir> logDirs,
            List<SsdDir> ssdDirs,
            DiskEnsemble marks,
            TierListener listener) {
        this.files = files;
        this.settings = settings;
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
        this.marks = marks;
        this.listener = listener;
        this.garbage = new Leftovers(files);
    }

    /**
     * Looks, decides, and cleans up.
     *
     * @param look at the disks as they are now
     * @return complete copies on an SSD, by the path of the HDD file they are a copy of
     * @throws IOException when the disks lack what they promise
     */
    public ConcurrentHashMap<Path, SsdCopy> run(DiskScan.Look look) throws IOException {
        marks.prepare(listener);
        try {
            DiskScan found = look.take();
            lookAtLogDirs(found);
            refuseIfNeeded();
            planToGiveUp();
            lookAtMarked();
            lookAtSsds(found);
        } catch (FileSystemException e) {
            marks.withdraw(listener);
            throw new IOException(
                    "The SSD tier cannot start, because a file or directory cannot be read. Nothing has been "
                            + "changed; check the device: " + e,
                    e);
        } catch (IOException | RuntimeException e) {
            marks.withdraw(listener);
            throw e;
        }
        giveUp();
        garbage.remove(listener);
        marks.publish(listener);
        return copies;
    }

    /** The replicas that have given up records, in this start or an earlier one; to be asked after {@link #run}. */
    public IncompleteReplicas incomplete() {
        return incomplete;
    }

    private void lookAtLogDirs(DiskScan found) throws IOException {
        for (LogDir logDir : logDirs) {
            for (ScannedPartition partition : found.partitions(logDir)) {
                add(logDir, partition);
            }
        }
    }

    private void add(LogDir logDir, ScannedPartition found) throws IOException {
        found.leftovers().forEach(garbage::add);
        if (found.mark() != null) {
            marked.put(found.dir(), found.mark());
        }
        for (ScannedPartition.Link link : found.links()) {
            add(logDir, link);
        }
    }

    private void add(LogDir logDir, ScannedPartition.Link link) throws IOException {
        Path path = link.path();
        Path target = link.target();
        Path place = placeOf(logDir, target);
        LinkFault doubt = place == null ? LinkFault.OUTSIDE : doubt(logDir, target, place);
        if (doubt != null && !FileReads.isLinkTo(path, target)) {
            return; // the process before, which was about to end, has put the copy there since the look
        }
        if (link.name().isTemporary() || (doubt != null && SegmentFileName.isDeleted(SegmentFileName.dirOf(path)))) {
            garbage.add(path); // as Kafka's own loader would; the SSD file is then nobody's
            return;
        }
        if (doubt == null && linked.put(target, path) != null) {
            doubt = LinkFault.TWICE;
        }
        if (doubt != null) {
            long baseOffset = link.name().baseOffset();
            broken.add(new BrokenLink(logDir, path, baseOffset, target, doubt, place == null ? ROOT : place));
        }
    }

    /** The SSD directory that a link's target is in: one of ours, one that was ours, or none. */
    private @Nullable Path placeOf(LogDir logDir, Path target) {
        for (Path ssd : settings.ssdDirs()) {
            if (target.startsWith(ssd)) {
                return ssd;
            }
        }
        return marks.remembered(logDir.path(), target);
    }

    private @Nullable LinkFault doubt(LogDir logDir, Path target, Path place) throws IOException {
        BasicFileAttributes found = FileReads.attributes(target);
        boolean isThere = found != null && found.isRegularFile();
        if (!settings.ssdDirs().contains(place)) {
            return isThere ? LinkFault.UNCONFIGURED : LinkFault.DROPPED;
        }
        LinkFault doubt = marks.doubt(logDir.path(), place);
        return doubt != null || isThere ? doubt : LinkFault.LACKING;
    }

    private void refuseIfNeeded() throws IOException {
        problems.addAll(marks.problems());
        for (SsdDir ssd : ssdDirs) {
            requireRoom(ssd);
            requireThere(ssd);
        }
        StartRefusal refusal = new StartRefusal(settings, problems, broken);
        if (!refusal.isAvertedBy(settings.onMissing())) {
            throw new IOException(refusal.message());
        }
    }

    private void requireRoom(SsdDir ssd) {
        // Not by Files.getFileStore: in a chroot it looks for a mount point in vain. 0 means that nobody knows.
        long totalBytes = ssd.path().toFile().getTotalSpace();
        if (totalBytes > 0 && settings.capacityBytes() > totalBytes) {
            problems.add(TierSettings.CAPACITY_BYTES + "=" + settings.capacityBytes() + " is more than the "
                    + totalBytes + " bytes of the file system that it is for: " + ssd.path());
        }
    }

    /** An SSD that is not there, and nothing missing with it, is still one that should be there. */
    private void requireThere(SsdDir ssd) {
        SsdIdentity found = marks.ssd(ssd.path());
        if (found == null || found.isThere()) {
            return;
        }
        ssd.suspect(); // nothing goes there when the start goes on nevertheless
        if (settings.onMissing() == OnMissing.FAIL
                && broken.stream().noneMatch(promise -> promise.place().equals(ssd.path()))) {
            problems.add(ssd.path()
                    + " is missing: there is no such directory. Is the SSD mounted? No segment is only there, "
                    + "so an empty directory on a new SSD will do.");
        }
    }

    private void planToGiveUp() throws IOException {
        Map<Path, BrokenLink> first = new TreeMap<>();
        for (BrokenLink promise : broken) {
            first.merge(promise.partition(), promise, (a, b) -> a.baseOffset() <= b.baseOffset() ? a : b);
        }
        Map<LogDir, KafkaCheckpoints> checkpoints = new HashMap<>();
        for (BrokenLink promise : first.values()) {
            LogDir logDir = promise.logDir();
            Path partition = promise.partition();
            KafkaCheckpoints known = checkpoints.computeIfAbsent(logDir, dir -> KafkaCheckpoints.read(dir.path()));
            lostTails.put(partition, new TailTruncation(files, logDir, partition, promise.baseOffset(), known));
        }
        linked.values().removeIf(this::isGivenUp);
    }

    private boolean isGivenUp(Path segment) {
        TailTruncation tail = lostTails.get(SegmentFileName.dirOf(segment));
        return tail != null && tail.covers(SegmentFileName.leadingOffset(segment));
    }

    private void lookAtMarked() throws IOException {
        for (Map.Entry<Path, Path> mark : marked.entrySet()) {
            Path partition = mark.getKey();
            if (lostTails.containsKey(partition) || !IncompleteReplicas.hasFollowed(partition, mark.getValue())) {
                incomplete.add(partition);
            } else {
                garbage.add(mark.getValue());
            }
        }
    }

    private void lookAtSsds(DiskScan found) {
        for (SsdDir ssd : ssdDirs) {
            for (LogDir logDir : logDirs) {
                found.copies(ssd, logDir).forEach(copies -> add(ssd, logDir, copies));
            }
        }
    }

    private void add(SsdDir ssd, LogDir logDir, ScannedSsdPartition found) {
        boolean stale = marks.doubt(logDir.path(), ssd.path()) == LinkFault.STALE;
        boolean useless = found.isAll();
        for (ScannedSsdPartition.Copy copy : found.copies()) {
            Path hddFile = copy.hddFile();
            if (linked.containsKey(copy.ssdFile())) {
                useless = false;
            } else if (copy.version() != null && !stale && !isGivenUp(hddFile) && !copies.containsKey(hddFile)) {
                copies.put(hddFile, new SsdCopy(new SsdFile(ssd, copy.ssdFile()), copy.version()));
                useless = false;
            } else {
                garbage.addOnSsd(found.partition(), copy.ssdFile());
            }
        }
        if (useless) {
            garbage.addEmptied(found.ssdPartition());
        }
    }

    /** First of all, and durably: nobody may believe that these logs are what the broker left when it was shut down. */
    private void giveUp() throws IOException {
        if (lostTails.isEmpty()) {
            return;
        }
        listener.givingUp(
                lostTails.values().stream().map(TailTruncation::givenUp).toList());
        for (LogDir logDir : lostTails.values().stream()
                .map(TailTruncation::logDir)
                .distinct()
                .toList()) {
            files.deleteIfExists(logDir.path().resolve(KafkaCheckpoints.CLEAN_SHUTDOWN_MARK));
            files.syncDirectory(logDir.path());
        }
        for (TailTruncation tail : lostTails.values()) {
            tail.remove();
            incomplete.add(tail.partition());
        }
    }
}
