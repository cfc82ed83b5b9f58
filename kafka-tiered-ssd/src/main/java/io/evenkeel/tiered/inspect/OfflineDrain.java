/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Takes everything off the SSDs of a broker that is down, by the same protocol as the broker's own copier and evictor.
 * One thread may copy the links of each log directory at the same time; all else is for one thread.
 *
 * <p>It may be cut off at any instant and begun anew: until a copy is complete, read back and in the link's place, the
 * SSD file stays; and no SSD file goes before the last link is gone, durably.
 *
 * <p>Requires: no broker runs on the directories, from before this is made until it has ended.
 */
public final class OfflineDrain {
    private static final Set<DiskProblem.Kind> PREVENTING = EnumSet.of(
            DiskProblem.Kind.DANGLING_LINK,
            DiskProblem.Kind.FOREIGN_LINK,
            DiskProblem.Kind.SHARED_FILE,
            DiskProblem.Kind.DOUBTFUL_SSD,
            DiskProblem.Kind.UNUSABLE_SSD,
            DiskProblem.Kind.UNREADABLE_LOG_DIR);
    private static final int SHOWN_PROBLEMS = 10;

    private final FileOps files;
    private final List<LogDirMeta> logDirs;
    private final List<Path> ssdDirs;
    private final List<SurveyedSegment> links;

    /**
     * Looks at the disks; changes nothing.
     *
     * @throws IOException when the disks lack what they promise
     */
    public OfflineDrain(FileOps files, List<LogDirMeta> logDirs, List<Path> ssdDirs) throws IOException {
        this.files = files;
        this.logDirs = List.copyOf(logDirs);
        this.ssdDirs = List.copyOf(ssdDirs);
        DiskSurvey survey = DiskSurvey.take(logDirs, ssdDirs);
        refuseIfNeeded(survey.problems());
        this.links = survey.links();
    }

    private static void refuseIfNeeded(List<DiskProblem> problems) throws IOException {
        List<String> preventing = problems.stream()
                .filter(problem -> PREVENTING.contains(problem.kind()))
                .map(problem -> problem.path() + ": " + problem.detail() + " (" + problem.kind() + ")")
                .toList();
        if (!preventing.isEmpty()) {
            throw new IOException("The disks do not hold what they promise, so nothing has been changed:\n  "
                    + preventing.stream().limit(SHOWN_PROBLEMS).collect(Collectors.joining("\n  "))
                    + (preventing.size() > SHOWN_PROBLEMS ? "\n  ..." : ""));
        }
    }

    /** What is to be copied to one log directory. */
    public List<SurveyedSegment> links(Path logDir) {
        return links.stream().filter(link -> link.logDir().equals(logDir)).toList();
    }

    /**
     * Puts a real file in the place of each link in one log directory.
     *
     * @param copied is told the bytes of each segment when it is in place
     */
    public void copyLinks(Path logDir, LongConsumer copied) throws IOException {
        OfflineLinkCopy replacement = new OfflineLinkCopy(files);
        for (SurveyedSegment link : links(logDir)) {
            replacement.replace(link);
            copied.accept(link.sizeBytes());
        }
    }

    /**
     * Empties the SSD directories.
     *
     * @return what is left in them because it is not the tier's
     * @throws IOException also when there still is a link
     */
    public List<Path> emptySsds() throws IOException {
        List<SurveyedSegment> left = DiskSurvey.take(logDirs, ssdDirs).links();
        if (!left.isEmpty()) {
            throw new IOException("There still are " + left.size() + " links to SSDs, the first of them: "
                    + left.get(0).path());
        }
        makeNamesDurable();
        removeLeftovers();
        List<Path> foreign = new ArrayList<>();
        for (Path ssd : ssdDirs) {
            foreign.addAll(empty(ssd));
        }
        for (LogDirMeta logDir : logDirs) {
            files.deleteIfExists(logDir.path().resolve(IdentityFile.FILE_NAME));
        }
        return foreign;
    }

    /**
     * Makes sure that a power cut cannot bring back a link, which this process has replaced, or one before it that did
     * not come to force the directory.
     */
    private void makeNamesDurable() throws IOException {
        for (LogDirMeta logDir : logDirs) {
            for (Path partition : FileReads.children(logDir.path())) {
                if (Files.isDirectory(partition)) {
                    files.syncDirectory(partition);
                }
            }
            files.syncDirectory(logDir.path());
        }
    }

    private void removeLeftovers() throws IOException {
        for (DiskProblem problem : DiskSurvey.take(logDirs, ssdDirs).problems()) {
            if (problem.kind() == DiskProblem.Kind.UNFINISHED) {
                files.deleteIfExists(problem.path());
            }
        }
    }

    /**
     * The mark goes last, also after a power cut: without it, a directory with files in it counts as somebody else's.
     */
    private List<Path> empty(Path ssd) throws IOException {
        for (LogDirMeta logDir : logDirs) {
            Path ofLogDir = ssd.resolve(logDir.directoryId());
            for (Path partition : FileReads.children(ofLogDir)) {
                for (Path file : FileReads.children(partition)) {
                    if (SegmentFileName.baseOffsetOnSsd(file) >= 0) {
                        files.deleteIfExists(file);
                    }
                }
                files.deleteDirectoryIfEmpty(partition);
            }
            files.deleteDirectoryIfEmpty(ofLogDir);
        }
        List<Path> foreign = FileReads.children(ssd).stream()
                .filter(child -> !DiskWalk.BESIDE_SEGMENTS.contains(SegmentFileName.nameOf(child)))
                .toList();
        if (foreign.isEmpty()) {
            files.deleteIfExists(ssd.resolve(IdentityFile.TEMPORARY_NAME));
            files.syncDirectory(ssd);
            files.deleteIfExists(ssd.resolve(IdentityFile.FILE_NAME));
        }
        return foreign;
    }
}
