/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes both devices agree before any log is loaded. Not thread safe; made for one start.
 *
 * <p>One rule settles every doubt: where the HDD path is a link, the SSD file is the truth; where it is a real file, the HDD
 * file is the truth, and the SSD file only a copy of it. First everything is looked at; if a link does not lead to a file
 * on one of our SSDs, the start is refused and nothing has been touched. Then leftovers, stale copies and orphans go.
 */
final class Recovery {
    private static final int SHOWN_REFUSALS = 10;

    private final FileLayer files;
    private final List<LogDir> logDirs;
    private final List<SsdDir> ssdDirs;

    private final List<String> refusals = new ArrayList<>();
    private final List<Path> garbage = new ArrayList<>();
    private final List<Path> ssdPartitions = new ArrayList<>();
    private final Set<Path> linked = new HashSet<>();
    private final Map<Path, SsdFile> copies = new HashMap<>();

    Recovery(FileLayer files, List<LogDir> logDirs, List<SsdDir> ssdDirs) {
        this.files = files;
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
    }

    /**
     * Looks, decides, and cleans up.
     *
     * @return complete copies on an SSD, by the path of the HDD file they are a copy of
     * @throws IOException when the disks lack what they promise
     */
    Map<Path, SsdFile> run() throws IOException {
        for (LogDir logDir : logDirs) {
            for (Path partition : children(logDir.path())) {
                if (LogFileName.isTiered(partition)) {
                    lookAtPartition(partition);
                }
            }
        }
        for (SsdDir ssd : ssdDirs) {
            for (LogDir logDir : logDirs) {
                for (Path partition : children(ssd.path().resolve(logDir.id()))) {
                    lookAtSsd(ssd, logDir, partition);
                }
            }
        }
        refuseIfNeeded();
        cleanUp();
        return copies;
    }

    private void lookAtPartition(Path partition) throws IOException {
        for (Path file : children(partition)) {
            if (LogFileName.isLeftover(file)) {
                garbage.add(file);
                continue;
            }
            LogFileName name = LogFileName.parse(file);
            if (name != null && Files.isSymbolicLink(file)) {
                lookAtLink(file, name);
            }
        }
    }

    private void lookAtLink(Path link, LogFileName name) throws IOException {
        SsdFile target = SegmentOpener.target(ssdDirs, link);
        if (target == null) {
            refusals.add(link + " leads to " + Files.readSymbolicLink(link) + ", which is in none of "
                    + TieredSettings.DIRS + "=" + ssdDirs);
        } else if (name.isDeleted()) {
            garbage.add(link); // as Kafka's own loader would; the SSD file is then nobody's
        } else if (!Files.isRegularFile(target.path(), NOFOLLOW_LINKS)) {
            refusals.add(link + " leads to " + target.path() + ", which is missing");
        } else {
            linked.add(target.path());
        }
    }

    private void lookAtSsd(SsdDir ssd, LogDir logDir, Path ssdPartition) throws IOException {
        ssdPartitions.add(ssdPartition);
        for (Path file : children(ssdPartition)) {
            long baseOffset = LogFileName.baseOffsetOnSsd(file);
            if (baseOffset < 0 || linked.contains(file)) {
                continue;
            }
            Path hddFile =
                    logDir.path().resolve(ssdPartition.getFileName()).resolve(String.format("%020d.log", baseOffset));
            if (!copies.containsKey(hddFile) && SegmentOpener.isSame(file, hddFile)) {
                copies.put(hddFile, new SsdFile(ssd, file));
            } else {
                garbage.add(file);
            }
        }
    }

    private void refuseIfNeeded() throws IOException {
        if (!refusals.isEmpty()) {
            String shown = refusals.stream().limit(SHOWN_REFUSALS).collect(Collectors.joining("\n  "));
            throw new IOException(
                    refusals.size() + " log segments are not where their links lead, so starting now would "
                            + "lose their records. Is the right SSD mounted, and is " + TieredSettings.DIRS
                            + " complete? Nothing has been changed.\n  " + shown
                            + (refusals.size() > SHOWN_REFUSALS ? "\n  …" : ""));
        }
    }

    private void cleanUp() throws IOException {
        for (Path file : garbage) {
            files.deleteIfExists(file);
        }
        for (Path partition : ssdPartitions) {
            deleteIfEmpty(files, partition);
        }
    }

    /** Removes the directory of a partition that has nothing on the SSD any more. */
    static void deleteIfEmpty(FileLayer files, Path ssdPartition) throws IOException {
        try {
            files.deleteIfExists(ssdPartition);
        } catch (DirectoryNotEmptyException e) {
            // still in use
        }
    }

    /** What is in a directory; nothing when it is not there or not a directory. */
    static List<Path> children(Path dir) throws IOException {
        List<Path> children = new ArrayList<>();
        if (!Files.isDirectory(dir)) {
            return children;
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
            stream.forEach(children::add);
        } catch (NotDirectoryException e) {
            return children;
        }
        return children;
    }
}
