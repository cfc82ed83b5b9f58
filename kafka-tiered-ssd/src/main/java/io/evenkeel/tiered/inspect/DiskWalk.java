/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static io.evenkeel.tiered.inspect.DiskProblem.Kind.DANGLING_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.DOUBTFUL_SSD;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.FOREIGN_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.ORPHAN;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.SHARED_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.STALE_COPY;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNFINISHED;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNKNOWN_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNUSABLE_SSD;
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
 * One walk over the disks: log directories first, then what the SSDs hold is matched to it. Not thread safe; made for
 * one {@link DiskSurvey}.
 *
 * <p>What goes away under the walk is left out, and what changes is looked at again. Unlike {@link Recovery}, it also
 * matches SSD files to segments that Kafka has renamed to delete them: a broker may be at work.
 */
final class DiskWalk {
    static final Set<String> BESIDE_SEGMENTS =
            Set.of(IdentityFile.FILE_NAME, IdentityFile.TEMPORARY_NAME, "lost+found");

    /**
     * What an HDD file and an SSD copy of it have in common: directory id, first name of the partition, base offset.
     */
    private record Place(String directoryId, String partition, long baseOffset) {}

    private final List<LogDirMeta> logDirs;
    private final List<SsdDir> ssdDirs;
    private final DiskEnsemble marks;
    private final Map<Path, SurveyedSegment> segments = new TreeMap<>();
    private final List<DiskProblem> problems = new ArrayList<>();
    private final Map<Path, Long> usedBytes = new HashMap<>();
    private final Set<DiskProblem> doubtful = new HashSet<>();
    private final Set<Path> linked = new HashSet<>();
    private final Map<Place, List<Path>> realFiles = new HashMap<>();

    DiskWalk(List<LogDirMeta> logDirs, List<Path> ssdDirs) {
        this.logDirs = logDirs;
        this.ssdDirs =
                ssdDirs.stream().map(path -> new SsdDir(new FileOps(), path, 0)).toList();
        this.marks = new DiskEnsemble(new FileOps(), ssdDirs, logDirs);
    }

    DiskSurvey survey() throws IOException {
        for (LogDirMeta logDir : logDirs) {
            for (Path partition : FileReads.children(logDir.path())) {
                if (SegmentFileName.isTiered(partition)) {
                    lookAtPartition(logDir, partition);
                }
            }
        }
        for (SsdDir ssd : ssdDirs) {
            lookAtSsd(ssd);
        }
        markNewest();
        problems.addAll(doubtful);
        problems.sort(Comparator.comparing(DiskProblem::kind).thenComparing(DiskProblem::path));
        return new DiskSurvey(List.copyOf(segments.values()), problems, usedBytes);
    }

    private void lookAtPartition(LogDirMeta logDir, Path partition) throws IOException {
        for (Path file : FileReads.children(partition)) {
            SegmentFileName name = SegmentFileName.parse(file);
            if (SegmentFileName.isLeftover(SegmentFileName.nameOf(file))) {
                problems.add(new DiskProblem(UNFINISHED, file, "a temporary name of the tier"));
            } else if (name != null) {
                lookAtSegment(logDir, partition, file, name);
            }
        }
    }

    private void lookAtSegment(LogDirMeta logDir, Path partition, Path file, SegmentFileName name) throws IOException {
        try {
            BasicFileAttributes found = attributes(file);
            if (found.isSymbolicLink()) {
                lookAtLink(logDir, file, name);
            } else {
                Place place = new Place(
                        logDir.directoryId(), SegmentFileName.partitionBeforeRename(partition), name.baseOffset());
                realFiles.computeIfAbsent(place, key -> new ArrayList<>()).add(file);
                add(logDir, file, name, SegmentState.WITHOUT_CACHE, null, found);
            }
        } catch (NotLinkException e) {
            lookAtSegment(logDir, partition, file, name); // the broker has put the real file in its place
        } catch (NoSuchFileException e) {
            // gone meanwhile
        }
    }

    private void lookAtLink(LogDirMeta logDir, Path link, SegmentFileName name) throws IOException {
        SsdFile target = SsdFile.behind(link, ssdDirs);
        if (target == null) {
            problems.add(new DiskProblem(FOREIGN_LINK, link, "leads to " + Files.readSymbolicLink(link)));
            return;
        }
        try {
            add(logDir, link, name, SegmentState.ONLY_CACHE, target, attributes(target.path()));
            if (!linked.add(target.path())) {
                problems.add(new DiskProblem(SHARED_FILE, link, "leads to " + target.path()));
            }
            LinkFault doubt = marks.fault(logDir.path(), target.dir().path());
            if (doubt == LinkFault.STALE || doubt == LinkFault.SWAPPED) {
                doubtful.add(new DiskProblem(DOUBTFUL_SSD, target.dir().path(), detail(doubt)));
            }
        } catch (NoSuchFileException e) {
            problems.add(new DiskProblem(DANGLING_LINK, link, "leads to " + target.path()));
        }
    }

    private static String detail(LinkFault doubt) {
        return doubt == LinkFault.STALE
                ? "the broker has been started without it since, so it holds an old version"
                : "another of this broker's SSDs was there";
    }

    private void lookAtSsd(SsdDir ssd) throws IOException {
        usedBytes.put(ssd.path(), 0L);
        try {
            if (!logDirs.isEmpty()) {
                SsdIdentity.check(ssd.path(), logDirs.get(0));
            }
        } catch (IOException e) {
            problems.add(new DiskProblem(UNUSABLE_SSD, ssd.path(), String.valueOf(e.getMessage())));
        }
        for (Path child : FileReads.children(ssd.path())) {
            if (!BESIDE_SEGMENTS.contains(SegmentFileName.nameOf(child))) {
                lookAtDirectoryId(ssd, child);
            }
        }
    }

    private void lookAtDirectoryId(SsdDir ssd, Path dir) throws IOException {
        LogDirMeta logDir = logDirs.stream()
                .filter(candidate -> candidate.directoryId().equals(SegmentFileName.nameOf(dir)))
                .findFirst()
                .orElse(null);
        if (logDir == null) {
            problems.add(new DiskProblem(UNKNOWN_FILE, dir, "is not for one of the log directories looked at"));
        }
        for (Path partition : FileReads.children(dir)) {
            for (Path file : FileReads.children(partition)) {
                lookAtSsdFile(ssd, logDir, file);
            }
        }
    }

    /** @param logDir null when the file is for a log directory that is not among those looked at */
    private void lookAtSsdFile(SsdDir ssd, @Nullable LogDirMeta logDir, Path file) throws IOException {
        try {
            long sizeBytes = attributes(file).size();
            usedBytes.merge(ssd.path(), sizeBytes, Long::sum);
            if (linked.contains(file) || logDir == null) {
                return;
            }
            long baseOffset = SegmentFileName.baseOffsetOnSsd(file);
            if (baseOffset < 0) {
                problems.add(new DiskProblem(UNKNOWN_FILE, file, "is not called as a segment"));
            } else {
                match(ssd, logDir, file, baseOffset, sizeBytes);
            }
        } catch (NoSuchFileException e) {
            // gone meanwhile
        }
    }

    private void match(SsdDir ssd, LogDirMeta logDir, Path file, long baseOffset, long sizeBytes) throws IOException {
        Place place = new Place(logDir.directoryId(), SegmentFileName.nameOf(SegmentFileName.dirOf(file)), baseOffset);
        List<Path> candidates = realFiles.getOrDefault(place, List.of());
        boolean stale = marks.fault(logDir.path(), ssd.path()) == LinkFault.STALE;
        for (Path candidate : candidates) {
            SurveyedSegment segment = segments.get(candidate);
            if (!stale && segment != null && segment.ssdFile() == null && FileStamp.areSame(file, candidate)) {
                segments.put(candidate, cached(segment, new SsdFile(ssd, file)));
                return;
            }
        }
        problems.add(
                candidates.isEmpty()
                        ? new DiskProblem(ORPHAN, file, sizeBytes + " bytes")
                        : new DiskProblem(STALE_COPY, file, "is no copy of " + candidates.get(0)));
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
