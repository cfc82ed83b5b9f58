/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.LinkFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the links of a broker's log directories point to, and which of them are broken. Not thread safe; made for one
 * start. It reads the attributes of each target once, and changes nothing.
 */
final class LinkScan {
    private static final Path ROOT = Path.of("/");

    private final List<Path> ssdDirs;
    private final DiskEnsemble ensemble;
    private final List<BrokenLink> broken = new ArrayList<>();
    private final Map<Path, List<Path>> unneeded = new HashMap<>();
    private final Map<Path, Path> linkByTarget = new HashMap<>();

    private LinkScan(List<Path> ssdDirs, DiskEnsemble ensemble) {
        this.ssdDirs = ssdDirs;
        this.ensemble = ensemble;
    }

    /** @param ssdDirs those of the configuration */
    static LinkScan read(DiskScan scan, List<LogDir> logDirs, List<Path> ssdDirs, DiskEnsemble ensemble)
            throws IOException {
        LinkScan links = new LinkScan(ssdDirs, ensemble);
        for (LogDir logDir : logDirs) {
            for (ScannedPartition partition : scan.partitions(logDir)) {
                for (ScannedPartition.Link link : partition.links()) {
                    links.add(logDir, link);
                }
            }
        }
        return links;
    }

    /** The links whose SSD file is missing or cannot be trusted. */
    List<BrokenLink> broken() {
        return broken;
    }

    /** The links in a partition's directory that Kafka's own loader would delete. */
    List<Path> unneeded(Path partition) {
        return unneeded.getOrDefault(partition, List.of());
    }

    /** The links that are neither broken nor unneeded, by the SSD file that they point to. */
    Map<Path, Path> linkByTarget() {
        return linkByTarget;
    }

    private void add(LogDir logDir, ScannedPartition.Link link) throws IOException {
        Path path = link.path();
        Path target = link.target();
        Path ssdDir = ssdDirOf(logDir, target);
        LinkFault fault = ssdDir == null ? LinkFault.OUTSIDE : fault(logDir, target, ssdDir);
        if (fault != null && !FileReads.isLinkTo(path, target)) {
            return; // the previous process, which was about to end, has replaced the link since the scan
        }
        if (link.name().isTemporary() || (fault != null && SegmentFileName.isDeleted(SegmentFileName.dirOf(path)))) {
            // as Kafka's own loader would; no link points to the SSD file then
            unneeded.computeIfAbsent(SegmentFileName.dirOf(path), partition -> new ArrayList<>())
                    .add(path);
            return;
        }
        if (fault != null && fault.mayBeLost() && SegmentFileName.isDying(SegmentFileName.dirOf(path))) {
            // No client reads a stray replica, so it must not keep the broker from starting; but its file may be there.
            if (Files.exists(target)) {
                linkByTarget.putIfAbsent(target, path);
            }
            return;
        }
        if (fault == null && linkByTarget.put(target, path) != null) {
            fault = LinkFault.TWICE;
        }
        if (fault != null) {
            long baseOffset = link.name().baseOffset();
            broken.add(new BrokenLink(logDir, path, baseOffset, target, fault, ssdDir == null ? ROOT : ssdDir));
        }
    }

    /**
     * The SSD directory that a link's target is in: a configured one, one that the log directory remembers, or none.
     */
    private @Nullable Path ssdDirOf(LogDir logDir, Path target) {
        for (Path ssd : ssdDirs) {
            if (target.startsWith(ssd)) {
                return ssd;
            }
        }
        return ensemble.remembered(logDir.path(), target);
    }

    private @Nullable LinkFault fault(LogDir logDir, Path target, Path ssdDir) throws IOException {
        BasicFileAttributes found = FileReads.attributes(target);
        boolean isThere = found != null && found.isRegularFile();
        if (!ssdDirs.contains(ssdDir)) {
            return isThere ? LinkFault.UNCONFIGURED : LinkFault.DROPPED;
        }
        LinkFault fault = ensemble.fault(logDir.path(), ssdDir);
        return fault != null || isThere ? fault : LinkFault.LACKING;
    }
}
