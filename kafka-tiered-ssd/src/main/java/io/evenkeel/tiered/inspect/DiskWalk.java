/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static io.evenkeel.tiered.inspect.DiskProblem.Kind.DANGLING_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.FOREIGN_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.OLDER_LOG_DIR;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.SHARED_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNFINISHED;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNREADABLE_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.WRONG_SSD;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.LinkFault;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One walk over the disks: the log directories first, then the SSDs by {@link SsdWalk}. Not thread safe; made for one
 * {@link DiskSurvey}.
 *
 * <p>A file that disappears during the walk is left out, and a file that changes is read again.
 */
final class DiskWalk {
    /** Identifies a segment on both devices: directory id, original name of the partition, base offset. */
    record SegmentKey(String directoryId, String partition, long baseOffset) {}

    private final List<LogDirMeta> logDirs;
    private final List<SsdDir> ssdDirs;
    private final DiskEnsemble ensemble;
    private final Map<Path, SurveyedSegment> segments = new TreeMap<>();
    private final List<DiskProblem> problems = new ArrayList<>();
    private final Set<DiskProblem> wrongSsds = new HashSet<>();
    private final Set<Path> linked = new HashSet<>();
    private final Map<SegmentKey, List<Path>> realFiles = new HashMap<>();

    DiskWalk(List<LogDirMeta> logDirs, List<Path> ssdDirs) {
        this.logDirs = logDirs;
        this.ssdDirs =
                ssdDirs.stream().map(path -> new SsdDir(new FileOps(), path, 0)).toList();
        this.ensemble = new DiskEnsemble(new FileOps(), ssdDirs, logDirs);
    }

    DiskSurvey survey() throws IOException {
        for (LogDirMeta logDir : logDirs) {
            for (Path partition : FileReads.children(logDir.path())) {
                if (SegmentFileName.isTiered(partition)) {
                    scanPartition(logDir, partition);
                }
            }
        }
        SsdWalk ssds = new SsdWalk(logDirs, ensemble, segments, realFiles, linked, problems);
        for (SsdDir ssd : ssdDirs) {
            ssds.scan(ssd);
        }
        markNewest();
        problems.addAll(wrongSsds);
        ensemble.olderLogDirs().forEach((logDir, why) -> problems.add(new DiskProblem(OLDER_LOG_DIR, logDir, why)));
        problems.sort(Comparator.comparing(DiskProblem::kind).thenComparing(DiskProblem::path));
        return new DiskSurvey(List.copyOf(segments.values()), problems, ssds.usedBytes(), ssds.unknownBytes());
    }

    private void scanPartition(LogDirMeta logDir, Path partition) throws IOException {
        for (Path file : FileReads.children(partition)) {
            SegmentFileName name = SegmentFileName.parse(file);
            if (SegmentFileName.isLeftover(SegmentFileName.nameOf(file))) {
                problems.add(new DiskProblem(UNFINISHED, file, "has a temporary name of the tier"));
            } else if (name != null) {
                scanSegment(logDir, partition, file, name);
            }
        }
    }

    private void scanSegment(LogDirMeta logDir, Path partition, Path file, SegmentFileName name) throws IOException {
        try {
            BasicFileAttributes found = attributes(file);
            if (found.isSymbolicLink()) {
                scanLink(logDir, file, name);
            } else {
                SegmentKey key = new SegmentKey(
                        logDir.directoryId(), SegmentFileName.partitionBeforeRename(partition), name.baseOffset());
                realFiles.computeIfAbsent(key, absent -> new ArrayList<>()).add(file);
                add(logDir, file, name, SegmentState.WITHOUT_CACHE, null, found);
            }
        } catch (NotLinkException e) {
            scanSegment(logDir, partition, file, name); // the broker has replaced the link by the file
        } catch (NoSuchFileException e) {
            // deleted during the walk
        }
    }

    private void scanLink(LogDirMeta logDir, Path link, SegmentFileName name) throws IOException {
        SsdFile target = SsdFile.behind(link, ssdDirs);
        if (target == null) {
            problems.add(new DiskProblem(FOREIGN_LINK, link, "points to " + Files.readSymbolicLink(link)));
            return;
        }
        try {
            add(logDir, link, name, SegmentState.ONLY_CACHE, target, attributes(target.path()));
            if (!linked.add(target.path())) {
                problems.add(new DiskProblem(SHARED_FILE, link, "points to " + target.path()));
            }
            LinkFault fault = ensemble.fault(logDir.path(), target.dir().path());
            if (fault == LinkFault.STALE || fault == LinkFault.SWAPPED) {
                wrongSsds.add(new DiskProblem(WRONG_SSD, target.dir().path(), detail(fault)));
            }
        } catch (NoSuchFileException e) {
            problems.add(new DiskProblem(DANGLING_LINK, link, "points to " + target.path()));
        } catch (FileSystemException e) {
            problems.add(new DiskProblem(UNREADABLE_FILE, link, "points to " + target.path() + " (" + e + ")"));
        }
    }

    private static String detail(LinkFault fault) {
        return fault == LinkFault.STALE
                ? "the broker has started without it since, so its files are an old version"
                : "another SSD of this broker was mounted here before";
    }

    private void add(
            LogDirMeta logDir,
            Path path,
            SegmentFileName name,
            SegmentState state,
            @Nullable SsdFile ssdFile,
            BasicFileAttributes file) {
        Path partition = SegmentFileName.dirOf(path);
        segments.put(
                path,
                new SurveyedSegment(
                        path,
                        logDir.path(),
                        SegmentFileName.nameOf(partition),
                        name.baseOffset(),
                        state,
                        ssdFile == null ? null : ssdFile.dir().path(),
                        ssdFile == null ? null : ssdFile.path(),
                        file.size(),
                        file.lastModifiedTime().toMillis(),
                        name.isLive() && !SegmentFileName.isDeleted(partition),
                        false));
    }

    private void markNewest() {
        Map<Path, SurveyedSegment> newest = new HashMap<>();
        for (SurveyedSegment segment : segments.values()) {
            if (segment.isLive()
                    && !SegmentFileName.isStray(
                            SegmentFileName.dirOf(segment.path()))) { // in the order of base offsets: the last one wins
                newest.put(SegmentFileName.dirOf(segment.path()), segment);
            }
        }
        newest.values().forEach(segment -> segments.put(segment.path(), segment.newest()));
    }

    static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
    }
}
