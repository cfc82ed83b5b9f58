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
 * Moves all segments of a stopped broker from the SSDs to the HDDs, with the same protocol as the broker's own copier
 * and evictor. One thread for each log directory may copy links at the same time; all other methods need one thread.
 *
 * <p>It can be interrupted at any instant and repeated: an SSD file stays until its copy is complete, read back and has
 * replaced the link; and no SSD file is removed before all links are durably replaced.
 *
 * <p>Requires: no broker runs on the directories, from the constructor until the drain has ended.
 */
public final class OfflineDrain {
    private static final Set<DiskProblem.Kind> PREVENTING = EnumSet.of(
            DiskProblem.Kind.DANGLING_LINK,
            DiskProblem.Kind.FOREIGN_LINK,
            DiskProblem.Kind.SHARED_FILE,
            DiskProblem.Kind.WRONG_SSD,
            DiskProblem.Kind.OLDER_LOG_DIR,
            DiskProblem.Kind.UNUSABLE_SSD,
            DiskProblem.Kind.UNREADABLE_LOG_DIR);
    private static final int SHOWN_PROBLEMS = 10;

    private final FileOps files;
    private final List<LogDirMeta> logDirs;
    private final List<Path> ssdDirs;
    private final List<SurveyedSegment> links;

    /**
     * Surveys the disks; changes nothing.
     *
     * @throws IOException when a problem on the disks prevents the drain
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
            throw new IOException("The drain cannot start, because the disks have problems; nothing has been changed."
                    + " Correct these first:\n  "
                    + preventing.stream().limit(SHOWN_PROBLEMS).collect(Collectors.joining("\n  "))
                    + (preventing.size() > SHOWN_PROBLEMS ? "\n  ..." : ""));
        }
    }

    /** The segments to copy to one log directory. */
    public List<SurveyedSegment> links(Path logDir) {
        return links.stream().filter(link -> link.logDir().equals(logDir)).toList();
    }

    /**
     * Replaces each link in one log directory by a copy of its SSD file.
     *
     * @param copied receives the size of each segment when its copy has replaced the link
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
     * @return the files that stay because they do not belong to the tier
     * @throws IOException also when a link remains
     */
    public List<Path> emptySsds() throws IOException {
        List<SurveyedSegment> left = DiskSurvey.take(logDirs, ssdDirs).links();
        if (!left.isEmpty()) {
            throw new IOException(left.size() + " links to SSDs remain, so no SSD file has been removed; run the"
                    + " drain again. First link: " + left.get(0).path());
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
     * Makes sure that a power cut cannot bring back a link that this process, or an interrupted one before it, has
     * replaced.
     */
    private void makeNamesDurable() throws IOException {
        for (LogDirMeta logDir : logDirs) {
            for (Path partition : FileReads.children(logDir.path())) {
                if (Files.isDirectory(partition)) {
                    files.fsyncDirectory(partition);
                }
            }
            files.fsyncDirectory(logDir.path());
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
     * The identity file goes last, also after a power cut: a directory with files but without an identity file counts
     * as foreign.
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
            files.fsyncDirectory(ssd);
            files.deleteIfExists(ssd.resolve(IdentityFile.FILE_NAME));
        }
        return foreign;
    }
}
