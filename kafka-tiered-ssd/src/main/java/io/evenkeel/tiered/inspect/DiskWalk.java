/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static io.evenkeel.tiered.inspect.DiskProblem.Kind.DANGLING_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.FOREIGN_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.OLDER_LOG_DIR;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.ORPHAN;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.READ_ONLY_SSD;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.SHARED_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.STALE_COPY;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNFINISHED;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNKNOWN_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNREADABLE_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNUSABLE_SSD;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.WRONG_SSD;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.FileStamp;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.identity.LinkFault;
import io.evenkeel.tiered.identity.SsdIdentity;
import io.evenkeel.tiered.recovery.Recovery;
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
 * One walk over the disks: the log directories first, then the SSDs, whose files are matched to the segments. Not
 * thread safe; made for one {@link DiskSurvey}.
 *
 * <p>A file that disappears during the walk is left out, and a file that changes is read again. Unlike
 * {@link Recovery}, the walk also matches SSD files to segments that Kafka has renamed for deletion: the broker may be
 * running.
 */
final class DiskWalk {
    /** Identifies a segment on both devices: directory id, original name of the partition, base offset. */
    private record SegmentKey(String directoryId, String partition, long baseOffset) {}

    private final List<LogDirMeta> logDirs;
    private final List<SsdDir> ssdDirs;
    private final DiskEnsemble ensemble;
    private final Map<Path, SurveyedSegment> segments = new TreeMap<>();
    private final List<DiskProblem> problems = new ArrayList<>();
    private final Map<Path, Long> usedBytes = new HashMap<>();
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
        for (SsdDir ssd : ssdDirs) {
            scanSsd(ssd);
        }
        markNewest();
        problems.addAll(wrongSsds);
        ensemble.olderLogDirs().forEach((logDir, why) -> problems.add(new DiskProblem(OLDER_LOG_DIR, logDir, why)));
        problems.sort(Comparator.comparing(DiskProblem::kind).thenComparing(DiskProblem::path));
        return new DiskSurvey(List.copyOf(segments.values()), problems, usedBytes);
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

    private void scanSsd(SsdDir ssd) throws IOException {
        usedBytes.put(ssd.path(), 0L);
        checkIdentity(ssd.path());
        for (Path child : childrenOnSsd(ssd.path())) {
            if (!IdentityFile.BESIDE_SEGMENTS.contains(SegmentFileName.nameOf(child))) {
                scanDirectoryId(ssd, child);
            }
        }
    }

    private void checkIdentity(Path ssd) {
        try {
            if (!logDirs.isEmpty()) {
                SsdIdentity.check(ssd, logDirs.get(0));
            }
            if (!Files.isWritable(ssd)) { // detects a read-only file system even when root asks
                problems.add(new DiskProblem(READ_ONLY_SSD, ssd, "this user or nobody can write to it"));
            }
        } catch (FileSystemException e) {
            problems.add(new DiskProblem(UNREADABLE_FILE, ssd.resolve(IdentityFile.FILE_NAME), e.toString()));
        } catch (IOException e) {
            problems.add(new DiskProblem(UNUSABLE_SSD, ssd, String.valueOf(e.getMessage())));
        }
    }

    /** A directory that a failing SSD cannot read is a problem, and the walk goes on. */
    private List<Path> childrenOnSsd(Path dir) {
        try {
            return FileReads.children(dir);
        } catch (IOException e) {
            problems.add(new DiskProblem(UNREADABLE_FILE, dir, e.toString()));
            return List.of();
        }
    }

    private void scanDirectoryId(SsdDir ssd, Path dir) throws IOException {
        LogDirMeta logDir = logDirs.stream()
                .filter(candidate -> candidate.directoryId().equals(SegmentFileName.nameOf(dir)))
                .findFirst()
                .orElse(null);
        if (logDir == null) {
            problems.add(new DiskProblem(UNKNOWN_FILE, dir, "belongs to none of the log directories"));
        }
        for (Path partition : childrenOnSsd(dir)) {
            for (Path file : childrenOnSsd(partition)) {
                scanSsdFile(ssd, logDir, file);
            }
        }
    }

    /** @param logDir null when the file belongs to none of the log directories */
    private void scanSsdFile(SsdDir ssd, @Nullable LogDirMeta logDir, Path file) throws IOException {
        try {
            long sizeBytes = attributes(file).size();
            usedBytes.merge(ssd.path(), sizeBytes, Long::sum);
            if (linked.contains(file) || logDir == null) {
                return;
            }
            long baseOffset = SegmentFileName.baseOffsetOnSsd(file);
            if (baseOffset < 0) {
                problems.add(new DiskProblem(UNKNOWN_FILE, file, "does not have the name of a segment"));
            } else {
                match(ssd, logDir, file, baseOffset, sizeBytes);
            }
        } catch (NoSuchFileException e) {
            // deleted during the walk
        } catch (FileSystemException e) {
            problems.add(new DiskProblem(UNREADABLE_FILE, file, e.toString()));
        }
    }

    private void match(SsdDir ssd, LogDirMeta logDir, Path file, long baseOffset, long sizeBytes) throws IOException {
        SegmentKey key =
                new SegmentKey(logDir.directoryId(), SegmentFileName.nameOf(SegmentFileName.dirOf(file)), baseOffset);
        List<Path> candidates = realFiles.getOrDefault(key, List.of());
        boolean stale = ensemble.fault(logDir.path(), ssd.path()) == LinkFault.STALE;
        for (Path candidate : candidates) {
            SurveyedSegment segment = segments.get(candidate);
            if (!stale && segment != null && segment.ssdFile() == null && FileStamp.areSame(file, candidate)) {
                segments.put(candidate, cached(segment, new SsdFile(ssd, file)));
                return;
            }
        }
        if (ensemble.olderLogDirs().containsKey(logDir.path())) {
            return; // no leftover: the right disk has its segment
        }
        problems.add(
                candidates.isEmpty()
                        ? new DiskProblem(ORPHAN, file, sizeBytes + " bytes")
                        : new DiskProblem(STALE_COPY, file, "is not a copy of " + candidates.get(0)));
    }

    private static SurveyedSegment cached(SurveyedSegment found, SsdFile copy) {
        return new SurveyedSegment(
                found.path(),
                found.logDir(),
                found.partition(),
                found.baseOffset(),
                SegmentState.CACHED,
                copy.dir().path(),
                copy.path(),
                found.sizeBytes(),
                found.lastModifiedMs(),
                found.isLive(),
                found.isNewest());
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
                        name.isLive() && !SegmentFileName.isDying(partition),
                        false));
    }

    private void markNewest() {
        Map<Path, SurveyedSegment> newest = new HashMap<>();
        for (SurveyedSegment segment : segments.values()) {
            if (segment.isLive()) { // in the order of base offsets: the last one wins
                newest.put(SegmentFileName.dirOf(segment.path()), segment);
            }
        }
        newest.values().forEach(segment -> segments.put(segment.path(), segment.newest()));
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
    }
}
