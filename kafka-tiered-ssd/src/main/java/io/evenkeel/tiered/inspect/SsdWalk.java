/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static io.evenkeel.tiered.inspect.DiskProblem.Kind.ORPHAN;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.READ_ONLY_SSD;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.STALE_COPY;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNKNOWN_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNREADABLE_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNUSABLE_SSD;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.FileStamp;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.identity.LinkFault;
import io.evenkeel.tiered.identity.SsdIdentity;
import io.evenkeel.tiered.identity.SsdRemainder;
import io.evenkeel.tiered.recovery.Recovery;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The second half of a {@link DiskWalk}: the files on the SSDs, matched to the segments that the first half has found.
 * Not thread safe.
 *
 * <p>Unlike {@link Recovery}, it also matches files to segments that Kafka has renamed for deletion: the broker may be
 * running.
 */
final class SsdWalk {
    private final List<LogDirMeta> logDirs;
    private final DiskEnsemble ensemble;
    private final Map<Path, SurveyedSegment> segments;
    private final Map<DiskWalk.SegmentKey, List<Path>> realFiles;
    private final Set<Path> linked;
    private final List<DiskProblem> problems;
    private final Map<Path, Long> usedBytes = new HashMap<>();
    private final Map<Path, Long> unknownBytes = new TreeMap<>();

    /**
     * @param segments those that the log directories have, by path; the state of those with a copy is changed here
     * @param realFiles the files of segments that are no links
     * @param linked the SSD files that links point to
     * @param problems takes what this walk finds
     */
    SsdWalk(
            List<LogDirMeta> logDirs,
            DiskEnsemble ensemble,
            Map<Path, SurveyedSegment> segments,
            Map<DiskWalk.SegmentKey, List<Path>> realFiles,
            Set<Path> linked,
            List<DiskProblem> problems) {
        this.logDirs = logDirs;
        this.ensemble = ensemble;
        this.segments = segments;
        this.realFiles = realFiles;
        this.linked = linked;
        this.problems = problems;
    }

    /** The bytes of the files on each SSD. */
    Map<Path, Long> usedBytes() {
        return usedBytes;
    }

    /** The bytes that belong to none of the log directories, by the directory or file in the SSD directory. */
    Map<Path, Long> unknownBytes() {
        return unknownBytes;
    }

    void scan(SsdDir ssd) throws IOException {
        usedBytes.put(ssd.path(), 0L);
        checkIdentity(ssd.path());
        for (Path child : childrenOnSsd(ssd.path())) {
            if (SsdRemainder.isData(child)) {
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
            unknownBytes.put(dir, 0L);
        }
        for (Path partition : childrenOnSsd(dir)) {
            for (Path file : childrenOnSsd(partition)) {
                scanSsdFile(ssd, dir, logDir, file);
            }
        }
        if (logDir == null) {
            problems.add(new DiskProblem(
                    UNKNOWN_FILE,
                    dir,
                    "belongs to none of the log directories; " + unknownBytes.get(dir)
                            + " bytes that no link leads to"));
        }
    }

    /** @param logDir null when the file belongs to none of the log directories */
    private void scanSsdFile(SsdDir ssd, Path dir, @Nullable LogDirMeta logDir, Path file) throws IOException {
        try {
            long sizeBytes = DiskWalk.attributes(file).size();
            usedBytes.merge(ssd.path(), sizeBytes, Long::sum);
            if (linked.contains(file)) {
                return;
            }
            if (logDir == null) {
                unknownBytes.merge(dir, sizeBytes, Long::sum);
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
        DiskWalk.SegmentKey key = new DiskWalk.SegmentKey(
                logDir.directoryId(), SegmentFileName.nameOf(SegmentFileName.dirOf(file)), baseOffset);
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
}
