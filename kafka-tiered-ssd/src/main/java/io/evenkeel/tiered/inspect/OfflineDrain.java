/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.file.CopyFailure;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.SsdRemainder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Moves all segments of a stopped broker from the SSDs to the HDDs, with the same protocol as the broker's own copier
 * and evictor. One thread for each log directory may copy links at the same time; all other methods need one thread.
 *
 * <p>It can be interrupted at any instant and repeated: an SSD file stays until its copy is complete, read back and has
 * replaced the link; and no SSD file is removed before all links are durably replaced. An SSD that fails, or that takes
 * no writes, is emptied as far as it can be read.
 *
 * <p>Requires: no broker runs on the directories, from the constructor until the drain has ended.
 */
public final class OfflineDrain {
    private static final Set<DiskProblem.Kind> PREVENTING = EnumSet.of(
            DiskProblem.Kind.FOREIGN_LINK,
            DiskProblem.Kind.SHARED_FILE,
            DiskProblem.Kind.WRONG_SSD,
            DiskProblem.Kind.OLDER_LOG_DIR,
            DiskProblem.Kind.UNUSABLE_SSD,
            DiskProblem.Kind.UNREADABLE_LOG_DIR);
    private static final Set<DiskProblem.Kind> LOST =
            EnumSet.of(DiskProblem.Kind.DANGLING_LINK, DiskProblem.Kind.UNREADABLE_FILE);
    private static final int SHOWN_PROBLEMS = 10;

    /** Something that stays on an SSD, and why. */
    public record Left(Path path, String why) {}

    private final FileOps files;
    private final List<LogDirMeta> logDirs;
    private final List<Path> ssdDirs;
    private final List<SurveyedSegment> links;
    private final Queue<Left> failed = new ConcurrentLinkedQueue<>();

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
        survey.problems().stream()
                .filter(problem -> LOST.contains(problem.kind()) && isInLogDir(problem.path()))
                .forEach(problem -> failed.add(new Left(problem.path(), problem.kind() + ", " + problem.detail())));
    }

    private boolean isInLogDir(Path path) {
        return logDirs.stream().anyMatch(logDir -> path.startsWith(logDir.path()));
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
     * Replaces each link in one log directory by a copy of its SSD file. A file that the SSD cannot read keeps its
     * link, and is one of the {@link #failed}.
     *
     * @param copied receives the size of each segment when its copy has replaced the link
     * @throws IOException when the HDD fails
     */
    public void copyLinks(Path logDir, LongConsumer copied) throws IOException {
        OfflineLinkCopy replacement = new OfflineLinkCopy(files);
        for (SurveyedSegment link : links(logDir)) {
            try {
                replacement.replace(link);
                copied.accept(link.sizeBytes());
            } catch (IOException e) {
                Path ssdFile = link.ssdFile();
                if (ssdFile == null || CopyFailure.of(e).reason() == CopyFailure.Cause.TARGET) {
                    throw e;
                }
                String unreadable = UnreadableBytes.of(files, ssdFile);
                failed.add(new Left(link.path(), ssdFile + " cannot be read: " + unreadable));
            }
        }
    }

    /** What could not be read so far; in the order of paths. */
    public List<Left> failed() {
        return failed.stream().sorted(Comparator.comparing(Left::path)).toList();
    }

    /**
     * Empties the SSD directories, unless a link is left: then all SSD files stay.
     *
     * @return what stays: files that do not belong to the tier, or the files of an SSD that takes no writes
     * @throws IOException when the HDD fails, or a link is left for no known reason
     */
    public List<Left> emptySsds() throws IOException {
        makeNamesDurable();
        removeLeftovers();
        List<SurveyedSegment> left = DiskSurvey.take(logDirs, ssdDirs).links();
        if (!failed.isEmpty()) {
            return List.of();
        }
        if (!left.isEmpty()) {
            throw new IOException(left.size() + " links to SSDs remain, so no SSD file has been removed; run the"
                    + " drain again. First link: " + left.get(0).path());
        }
        return release();
    }

    /** An SSD that takes no writes is left as it is, and with it the identity files: no link leads there any more. */
    private List<Left> release() throws IOException {
        DiskEnsemble disks = new DiskEnsemble(files, ssdDirs, logDirs);
        List<Left> stays = new ArrayList<>();
        for (Path ssd : ssdDirs) {
            try {
                removeCopies(ssd);
            } catch (IOException e) {
                stays.add(new Left(ssd, "it cannot be emptied: " + e));
            }
        }
        if (!stays.isEmpty()) {
            return stays;
        }
        SsdRemainder left = Objects.requireNonNull(disks.release(() -> true));
        left.all().forEach(path -> stays.add(new Left(path, "it belongs to no segment of this broker")));
        return stays;
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

    /** Requires: no link is left, durably. */
    private void removeCopies(Path ssd) throws IOException {
        for (LogDirMeta logDir : logDirs) {
            for (Path partition : FileReads.children(ssd.resolve(logDir.directoryId()))) {
                for (Path file : FileReads.children(partition)) {
                    if (SegmentFileName.baseOffsetOnSsd(file) >= 0) {
                        files.deleteIfExists(file);
                    }
                }
            }
        }
    }
}
