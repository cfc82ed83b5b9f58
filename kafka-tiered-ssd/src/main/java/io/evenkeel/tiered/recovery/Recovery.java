/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.LinkFault;
import io.evenkeel.tiered.identity.SsdIdentity;
import io.evenkeel.tiered.identity.SsdRemainder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the disks agree before any log is loaded. Not thread safe; made for one start.
 *
 * <p>One rule decides every case: where the HDD path is a link, the SSD file is the truth; where it is a real file, the
 * HDD file is the truth, and the SSD file only a copy of it. The start scans both devices, makes a
 * {@link RecoveryPlan}, and only then changes something. If a link does not point to a file on the SSD that it was made
 * for, the start is refused, or the plan truncates the partitions concerned. The identity files of the new generation
 * are published last: until then, a stale SSD must be recognised as stale.
 */
public final class Recovery {
    private final FileOps files;
    private final TierSettings settings;
    private final List<LogDir> logDirs;
    private final List<SsdDir> ssdDirs;
    private final DiskEnsemble ensemble;
    private final IncompleteReplicas incomplete = new IncompleteReplicas();

    public Recovery(
            FileOps files, TierSettings settings, List<LogDir> logDirs, List<SsdDir> ssdDirs, DiskEnsemble ensemble) {
        this.files = files;
        this.settings = settings;
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
        this.ensemble = ensemble;
    }

    /**
     * Scans, plans, and executes the plan.
     *
     * @param source of a scan of the disks as they are now
     * @param listener learns what is changed
     * @return complete copies on an SSD, by the path of the HDD file they are a copy of
     * @throws IOException when a directory cannot be used, or a file that a link points to is missing
     */
    public ConcurrentHashMap<Path, SsdCopy> run(DiskScan.Source source, TierListener listener) throws IOException {
        ensemble.prepare(listener);
        RecoveryPlan plan;
        try {
            plan = plan(source.scan());
        } catch (FileSystemException e) {
            ensemble.withdraw(listener);
            throw new IOException(
                    "The SSD tier cannot start, because a file or directory cannot be read. Nothing has been changed;"
                            + " check the device. If it is an SSD that has failed, take its segments to the HDD with"
                            + " TieredSsdTool drain --offline, which goes on where it cannot read; then replace it: "
                            + e,
                    e);
        } catch (IOException | RuntimeException e) {
            ensemble.withdraw(listener);
            throw e;
        }
        new PlanExecution(files, listener).run(plan);
        ensemble.publish(listener);
        reportUnknown(listener);
        plan.incompleteReplicas().forEach(incomplete::add);
        return plan.copies();
    }

    /**
     * Scans and plans only, without the locks: a start that finds the disks like this would be refused, or not.
     *
     * @param dirs the log directories that are readable; not empty
     * @throws IOException when it would be refused, with the same message
     */
    public static void check(FileOps files, TierSettings settings, List<LogDirMeta> dirs) throws IOException {
        List<SsdDir> ssds = SsdDir.of(files, settings);
        Hdd any = new Hdd(() -> 0, 0);
        List<LogDir> logDirs = dirs.stream()
                .map(dir -> new LogDir(dir.path(), dir.directoryId(), any, ssds))
                .toList();
        DiskEnsemble ensemble = new DiskEnsemble(files, settings.ssdDirs(), dirs);
        ensemble.checkWritable();
        new Recovery(files, settings, logDirs, ssds, ensemble).plan(DiskScan.read(dirs, settings.ssdDirs()));
    }

    private void reportUnknown(TierListener listener) throws IOException {
        Set<String> known = new HashSet<>();
        logDirs.forEach(logDir -> known.add(logDir.id()));
        for (SsdDir ssd : ssdDirs) {
            FileReads.children(ssd.path()).stream()
                    .filter(child -> SsdRemainder.isData(child) && !known.contains(SegmentFileName.nameOf(child)))
                    .forEach(listener::unknownOnSsd);
        }
    }

    /** The replicas that have lost records, in this start or an earlier one; to be asked after {@link #run}. */
    public IncompleteReplicas incomplete() {
        return incomplete;
    }

    private RecoveryPlan plan(DiskScan scan) throws IOException {
        LinkScan links = LinkScan.read(scan, logDirs, settings.ssdDirs(), ensemble);
        refuseIfNeeded(links.broken());
        List<ScannedTail> tails = ScannedTail.readAll(links.broken());
        Set<Path> followed = followed(scan, tails);
        RecoveryPlan.Draft draft = new RecoveryPlan.Draft(scan, links, tails).logDirs(logDirs, followed);
        for (SsdDir ssd : ssdDirs) {
            for (LogDir logDir : logDirs) {
                draft.ssd(ssd, logDir, ensemble.fault(logDir.path(), ssd.path()) == LinkFault.STALE);
            }
        }
        return draft.plan();
    }

    /** The partitions marked as incomplete whose replica has followed a leader since, and loses nothing now. */
    private Set<Path> followed(DiskScan scan, List<ScannedTail> tails) throws IOException {
        Set<Path> truncated = new HashSet<>();
        tails.forEach(tail -> truncated.add(tail.partition()));
        Set<Path> followed = new HashSet<>();
        for (LogDir logDir : logDirs) {
            for (ScannedPartition partition : scan.partitions(logDir)) {
                Path marker = partition.incompleteMarker();
                if (marker != null
                        && !truncated.contains(partition.dir())
                        && IncompleteReplicas.hasFollowed(partition.dir(), marker)) {
                    followed.add(partition.dir());
                }
            }
        }
        return followed;
    }

    private void refuseIfNeeded(List<BrokenLink> broken) throws IOException {
        List<String> problems = new ArrayList<>(ensemble.problems());
        for (SsdDir ssd : ssdDirs) {
            requireRoom(ssd, problems);
            requireThere(ssd, broken, problems);
        }
        StartRefusal refusal = new StartRefusal(settings, problems, broken);
        if (!refusal.isAvertedBy(settings.onMissing())) {
            throw new IOException(refusal.message());
        }
    }

    private void requireRoom(SsdDir ssd, List<String> problems) {
        // Not by Files.getFileStore: in a chroot it does not find the mount point. 0 means that the size is unknown.
        long totalBytes = ssd.path().toFile().getTotalSpace();
        if (totalBytes > 0 && settings.capacityBytes() > totalBytes) {
            problems.add(TierSettings.CAPACITY_BYTES + "=" + settings.capacityBytes() + " is more than the "
                    + totalBytes + " bytes of the file system of " + ssd.path() + "; set a smaller capacity.");
        }
    }

    /** A missing SSD is a problem also when no link points to it. */
    private void requireThere(SsdDir ssd, List<BrokenLink> broken, List<String> problems) {
        SsdIdentity found = ensemble.ssd(ssd.path());
        if (found == null || found.isThere()) {
            return;
        }
        ssd.suspect(); // no new segment goes there when the start goes on nevertheless
        if (settings.onMissing() == OnMissing.FAIL
                && broken.stream().noneMatch(link -> link.ssdDir().equals(ssd.path()))) {
            problems.add(ssd.path()
                    + " is missing: there is no such directory. Is the SSD mounted? No segment is only there, so an"
                    + " empty directory on a new SSD is enough.");
        }
    }
}
